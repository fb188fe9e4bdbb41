import { generatePrimeSync, randomBytes, timingSafeEqual } from "node:crypto";
import { bitLength, inverse, jacobi, modulo } from "../../packages/threshold/src/arithmetic/integers.ts";
import { powModulo } from "../../packages/threshold/src/arithmetic/openssl.ts";
import {
  type Curve,
  ED25519,
  type GroupPoint,
  inverseOf,
  multiplyGenerator,
  multiplySecret,
  SECP256K1,
  sampleScalarOf,
  scalarOf,
} from "../../packages/threshold/src/curve.ts";
import { sampleBelow, sampleUnit } from "../../packages/threshold/src/entropy.ts";
import { decrypt, encrypt, paillierSecretKey } from "../../packages/threshold/src/paillier.ts";
import { evaluate } from "../../packages/threshold/src/sharing/polynomial.ts";

/** A path of the library that computes with a secret. */
export interface SecretPath {
  readonly name: string;
  /** unusual secrets; each is compared with drawn ones */
  readonly fixed: Readonly<Record<string, bigint>>;
  readonly draw: () => bigint;
  /** Prepares one computation; only the returned function is timed. */
  readonly prepare: (secret: bigint) => () => unknown;
  /** number of computations that are timed together */
  readonly calls: number;
  /** number of timings of each class */
  readonly timings: number;
  /** for a control: whether a difference must be found ("leaks"), or must not be; otherwise the measurement is worthless */
  readonly control?: "leaks" | "constant";
}

const PRIME_BITS = 1_536;
const entropy = (length: number): Uint8Array => new Uint8Array(randomBytes(length));
const bitsOf = (bits: number): bigint => sampleBelow(entropy, 1n << BigInt(bits)) | (1n << BigInt(bits - 1));

/** Has few bits set, but the length of nearly all numbers. */
const sparse = (bits: number): bigint => (1n << BigInt(bits - 1)) + 1n;

const scalarPaths = <P extends GroupPoint<P>>(curve: Curve<P>, name: string): readonly SecretPath[] => {
  const bits = bitLength(curve.order) - 1;
  const fixed = { "few bits set": sparse(bits), "64 bits shorter": bitsOf(bits - 64) };
  const draw = () => sampleScalarOf(curve, entropy);
  const point = multiplyGenerator(curve, draw());
  const [message, second, third] = [draw(), draw(), draw()];
  return [
    {
      name: `k·G, ${name}`,
      fixed,
      draw,
      prepare: (k) => () => multiplyGenerator(curve, k),
      calls: 1,
      timings: 8_000,
    },
    {
      name: `k·P, ${name}`,
      fixed,
      draw,
      prepare: (k) => () => multiplySecret(curve, point, k),
      calls: 1,
      timings: 3_000,
    },
    {
      name: `k⁻¹ mod q, ${name}`,
      fixed,
      draw,
      prepare: (k) => () => inverseOf(curve, k),
      calls: 4,
      timings: 8_000,
    },
    {
      name: `k·m mod q, ${name}`,
      fixed,
      draw,
      prepare: (k) => () => scalarOf(curve, k * message),
      calls: 200,
      timings: 8_000,
    },
    {
      name: `f(3), ${name}`,
      fixed,
      draw,
      prepare: (k) => () => evaluate(curve, [second, third, k], 3),
      calls: 100,
      timings: 8_000,
    },
  ];
};

const paillierKey = () => {
  const [p, q] = [1, 2].map(() => generatePrimeSync(PRIME_BITS, { bigint: true, add: 4n, rem: 3n }));
  if (p === undefined || q === undefined) throw new Error("two primes were asked for");
  return paillierSecretKey(p, q);
};

/** Paths whose secret is a prime factor of a modulus. */
const primePaths = (): readonly SecretPath[] => {
  const value = bitsOf(2 * PRIME_BITS);
  const odd = () => bitsOf(PRIME_BITS) | 1n;
  const ofModulus = { "few bits set": sparse(PRIME_BITS), "64 bits shorter": bitsOf(PRIME_BITS - 64) | 1n };
  return [
    {
      name: "v mod secret p",
      fixed: ofModulus,
      draw: odd,
      prepare: (prime) => () => modulo(value, prime),
      calls: 50,
      timings: 8_000,
    },
    {
      name: "Jacobi symbol modulo secret p",
      fixed: ofModulus,
      draw: odd,
      prepare: (prime) => () => jacobi(value, prime),
      calls: 1,
      timings: 2_000,
    },
    {
      name: "v⁻¹ mod secret p",
      fixed: ofModulus,
      draw: odd,
      prepare: (prime) => () => inverse(value, prime),
      calls: 1,
      timings: 2_000,
    },
  ];
};

/** Paths whose secret is an exponent or a plaintext. */
const paillierPaths = (): readonly SecretPath[] => {
  const key = paillierKey();
  const { n } = key.publicKey;
  const value = sampleUnit(entropy, n);
  return [
    {
      name: "v^x mod N, by OpenSSL",
      fixed: { "few bits set": sparse(512), "64 bits shorter": bitsOf(448) },
      draw: () => sampleBelow(entropy, 1n << 512n),
      prepare: (exponent) => () => powModulo(value, exponent, n),
      calls: 1,
      timings: 1_500,
    },
    {
      name: "x written as hexadecimal text",
      fixed: { "few bits set": sparse(PRIME_BITS), "64 bits shorter": bitsOf(PRIME_BITS - 64) },
      draw: () => sampleBelow(entropy, 1n << BigInt(PRIME_BITS)),
      prepare: (exponent) => () => exponent.toString(16),
      calls: 50,
      timings: 8_000,
    },
    {
      name: "Paillier decryption",
      fixed: { "plaintext 0": 0n, "256 bits": bitsOf(256) },
      draw: () => sampleBelow(entropy, n >> 1n),
      prepare: (plaintext) => {
        const ciphertext = encrypt(key.publicKey, plaintext, value);
        return () => decrypt(key, ciphertext);
      },
      calls: 1,
      timings: 300,
    },
  ];
};

const bytesOf = (secret: bigint): Uint8Array => Buffer.from(secret.toString(16).padStart(64, "0"), "hex");

/**
 * Compares byte by byte and stops at the first difference. Secrets are never compared like this; it is the leaking
 * control.
 */
const isEqualEarly = (one: Uint8Array, other: Uint8Array): boolean => {
  for (let at = 0; at < one.length; at += 1) if (one[at] !== other[at]) return false;
  return true;
};

const controls = (): readonly SecretPath[] => {
  const right = bitsOf(256);
  const expected = bytesOf(right);
  const comparing = (isEqual: (given: Uint8Array) => boolean) => ({
    fixed: { "the right one": right },
    draw: () => bitsOf(256),
    prepare: (secret: bigint) => {
      const given = bytesOf(secret);
      return () => isEqual(given);
    },
    calls: 200,
    timings: 8_000,
  });
  return [
    {
      name: "control: bytes compared one by one",
      control: "leaks",
      ...comparing((given) => isEqualEarly(given, expected)),
    },
    {
      name: "control: timingSafeEqual",
      control: "constant",
      ...comparing((given) => timingSafeEqual(given, expected)),
    },
  ];
};

/** The paths that compute with a secret, after two controls whose behaviour is known. */
export const secretPaths = (): readonly SecretPath[] => [
  ...controls(),
  ...scalarPaths(SECP256K1, "secp256k1"),
  ...scalarPaths(ED25519, "Ed25519"),
  ...primePaths(),
  ...paillierPaths(),
];
