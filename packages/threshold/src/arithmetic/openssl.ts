import {
  checkPrimeSync,
  createDiffieHellman,
  createPrivateKey,
  createPublicKey,
  diffieHellman,
  sign,
  verify,
} from "node:crypto";

/**
 * The arithmetic that OpenSSL computes: deterministic, and many times faster than in JavaScript. This is the only file of
 * the package that may call node:crypto.
 *
 * Modular exponentiation uses OpenSSL's constant-time Montgomery ladder through Diffie-Hellman: computeSecret(base) with
 * private key e is base^e mod modulus. It is four to eight times faster than BigInt.
 */

const SMALLEST_MODULUS_BITS = 512; // OpenSSL refuses smaller ones
const LARGEST_MODULUS_BITS = 10_000;
const ENGINES_MAX = 96; // one signer of a large roster uses some 10 moduli of each peer

type PowerEngine = ReturnType<typeof createDiffieHellman>;

const engines = new Map<bigint, PowerEngine>();

const evenHex = (value: bigint): string => {
  const hex = value.toString(16);
  return hex.length % 2 === 0 ? hex : `0${hex}`;
};

const engineFor = (modulus: bigint): PowerEngine => {
  const known = engines.get(modulus);
  if (known !== undefined) {
    engines.delete(modulus);
    engines.set(modulus, known); // most recently used last
    return known;
  }
  const made = createDiffieHellman(evenHex(modulus), "hex", 2);
  engines.set(modulus, made);
  const oldest = engines.keys().next();
  if (engines.size > ENGINES_MAX && !oldest.done) engines.delete(oldest.value);
  return made;
};

/**
 * Square-and-multiply on BigInt, with which the self-test compares OpenSSL. Not constant-time, so nothing
 * else may call it.
 */
export const powBySquaring = (base: bigint, exponent: bigint, modulus: bigint): bigint => {
  let result = 1n % modulus;
  let square = base % modulus;
  for (let rest = exponent; rest > 0n; rest >>= 1n) {
    if (rest & 1n) result = (result * square) % modulus;
    square = (square * square) % modulus;
  }
  return result;
};

const NO_EXPONENT = "01";

/** base^exponent by OpenSSL; undefined for the results 0, 1 and -1, which OpenSSL refuses as weak DH secrets. */
const powByEngine = (base: bigint, exponent: bigint, modulus: bigint): bigint | undefined => {
  const engine = engineFor(modulus);
  try {
    engine.setPrivateKey(evenHex(exponent), "hex");
    return BigInt(`0x${engine.computeSecret(evenHex(base), "hex", "hex")}`);
  } catch {
    return undefined;
  } finally {
    engine.setPrivateKey(NO_EXPONENT, "hex"); // makes OpenSSL erase the exponent, so that no cached engine holds a secret
  }
};

const selfTest = (): boolean => {
  const modulus = (1n << 521n) - 1n;
  const base = (1n << 300n) + 12345n;
  const exponent = (1n << 257n) + 99n;
  return powByEngine(base, exponent, modulus) === powBySquaring(base, exponent, modulus);
};

const engineWorks = selfTest();

const isForOpenssl = (modulus: bigint): boolean => {
  const bits = modulus.toString(16).length * 4;
  return bits >= SMALLEST_MODULUS_BITS && bits <= LARGEST_MODULUS_BITS;
};

/**
 * Caches an engine for a modulus, so that its first power is as fast as later ones: Node makes OpenSSL test
 * each new modulus for primality, which takes up to 0.1 s.
 *
 * @param modulus odd, above 1
 */
export const warmModulus = (modulus: bigint): void => {
  if (isForOpenssl(modulus)) engineFor(modulus);
};

/**
 * base^exponent for the bases 0, 1 and -1, which OpenSSL refuses: depends only on the exponent's last bit, or
 * on whether it is 0.
 */
const powOfTrivial = (base: bigint, exponent: bigint, modulus: bigint): bigint => {
  if (base === 0n) return exponent === 0n ? 1n : 0n;
  return base === 1n || (exponent & 1n) === 0n ? 1n : modulus - 1n;
};

/** Whether every prime factor of the modulus divides the base, so that a power of the base is 0. */
const isNilpotent = (base: bigint, modulus: bigint): boolean => {
  let power = base;
  for (let exponent = 1; exponent < LARGEST_MODULUS_BITS; exponent *= 2) power = (power * power) % modulus;
  return power === 0n;
};

/**
 * base^exponent where OpenSSL refused the result, which therefore is 0, 1 or -1. The next power,
 * base^(exponent + 1), decides which: OpenSSL computes it, and it is base or -base. So no exponent reaches
 * arithmetic whose time depends on its bits (P16).
 */
const powOfRefused = (base: bigint, exponent: bigint, modulus: bigint): bigint => {
  const next = powByEngine(base, exponent + 1n, modulus);
  if (next === base) return 1n;
  if (next === modulus - base) return modulus - 1n;
  if (next === undefined && isNilpotent(base, modulus)) return 0n;
  throw new Error("OpenSSL refused a power that it computes for odd moduli");
};

/**
 * base^exponent mod modulus, always by OpenSSL: a slower path would not be constant-time for secret exponents
 * (P16).
 *
 * @param base in [0, modulus)
 * @param exponent non-negative
 * @param modulus odd, of 512 to 10,000 bits
 * @throws RangeError for another modulus: a bug of the caller, who checks the lengths of moduli that peers
 * choose
 */
export const powModulo = (base: bigint, exponent: bigint, modulus: bigint): bigint => {
  if (!engineWorks) {
    throw new Error(
      "this OpenSSL computes no powers by Diffie-Hellman: use a Node.js without restrictions (FIPS)",
    );
  }
  if ((modulus & 1n) === 0n || !isForOpenssl(modulus)) {
    throw new RangeError("moduli of powers are odd and have 512 to 10,000 bits");
  }
  if (base <= 1n || base === modulus - 1n) return powOfTrivial(base, exponent, modulus);
  if (exponent === 0n) return 1n;
  return powByEngine(base, exponent, modulus) ?? powOfRefused(base, exponent, modulus);
};

/** Whether an integer is (probably) prime, by OpenSSL's Miller-Rabin test with error below 2^-128. */
export const isProbablePrime = (candidate: bigint): boolean => candidate > 1n && checkPrimeSync(candidate);

const NOT_PRIME = 1; // DH_CHECK_P_NOT_PRIME
const NOT_SAFE_PRIME = 2; // DH_CHECK_P_NOT_SAFE_PRIME

/**
 * Whether a modulus is composite, prime, or a safe prime ((modulus - 1) / 2 is prime as well). OpenSSL
 * already tests this, with as many rounds as isProbablePrime, when it prepares a modulus for powers; a second
 * test would cost 60 ms for each prime at 1536 bits.
 *
 * @param modulus odd, above 1
 */
export const primalityOfModulus = (modulus: bigint): "composite" | "prime" | "safe prime" => {
  if (isForOpenssl(modulus)) {
    const found = engineFor(modulus).verifyError;
    if ((found & NOT_PRIME) !== 0) return "composite";
    return (found & NOT_SAFE_PRIME) === 0 ? "safe prime" : "prime";
  }
  if (!isProbablePrime(modulus)) return "composite";
  return isProbablePrime((modulus - 1n) / 2n) ? "safe prime" : "prime";
};

/** The last byte of an algorithm's object identifier, 1.3.101.110 or 1.3.101.112 (RFC 8410, section 3). */
type Algorithm = "6e" | "70";
const X25519: Algorithm = "6e";
const ED25519: Algorithm = "70";

/** A private key in PKCS #8 (RFC 8410). @param secretHex 64 hex digits */
const privateKeyOf = (algorithm: Algorithm, secretHex: string) =>
  createPrivateKey({
    key: `302e020100300506032b65${algorithm}04220420${secretHex}`,
    format: "der",
    type: "pkcs8",
    encoding: "hex",
  });

/** A public key in SPKI (RFC 8410). @param publicHex 64 hex digits */
const publicKeyOf = (algorithm: Algorithm, publicHex: string) =>
  createPublicKey({
    key: `302a300506032b65${algorithm}032100${publicHex}`,
    format: "der",
    type: "spki",
    encoding: "hex",
  });

/** An Ed25519 key as OpenSSL holds it. */
export type Ed25519Key = ReturnType<typeof createPublicKey>;

/** The private key of a seed. @param seedHex the secret key of RFC 8032, 64 hex digits */
export const ed25519PrivateKey = (seedHex: string): Ed25519Key => privateKeyOf(ED25519, seedHex);

/** The public key of a point. @param publicKeyHex 64 hex digits of a point that the caller has checked */
export const ed25519PublicKey = (publicKeyHex: string): Ed25519Key => publicKeyOf(ED25519, publicKeyHex);

/** An Ed25519 signature (RFC 8032), 64 bytes. */
export const ed25519Sign = (message: Uint8Array, key: Ed25519Key): Uint8Array =>
  Uint8Array.from(sign(null, message, key));

/** Whether an Ed25519 signature verifies: without cofactor, R compared as bytes, s below the group order. */
export const ed25519Verify = (signature: Uint8Array, message: Uint8Array, key: Ed25519Key): boolean =>
  verify(null, message, key, signature);

/** An X25519 key as OpenSSL holds it. */
export type X25519Key = ReturnType<typeof createPrivateKey>;

/** The private key of a secret scalar. @param secretHex 64 hex digits; OpenSSL clamps them as RFC 7748 says */
export const x25519PrivateKey = (secretHex: string): X25519Key => privateKeyOf(X25519, secretHex);

/** The public key of a private key, 32 bytes. */
export const x25519PublicKey = (key: X25519Key): Uint8Array =>
  Uint8Array.from(createPublicKey(key).export({ format: "der", type: "spki" }).subarray(-32));

/**
 * The shared secret of X25519 (RFC 7748), 32 bytes.
 *
 * @param publicKeyHex 64 hex digits
 * @throws for a point of low order, with which every secret key gives zero
 */
export const x25519Shared = (key: X25519Key, publicKeyHex: string): Uint8Array =>
  Uint8Array.from(diffieHellman({ privateKey: key, publicKey: publicKeyOf(X25519, publicKeyHex) }));
