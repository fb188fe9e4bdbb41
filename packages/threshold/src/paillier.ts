import { type FactoredModulus, factoredModulus, nthPower, powerModNSquared } from "./arithmetic/factored.ts";
import { inverse, isUnit, modulo, mustInvert, power, symmetricModulo } from "./arithmetic/integers.ts";
import { powModulo } from "./arithmetic/openssl.ts";
import { type Codec, natural } from "./codec.ts";

/** A Paillier public key: N = p·q. Plaintexts are signed, in (-N/2, N/2). */
export interface PaillierPublicKey {
  readonly n: bigint;
  readonly nSquared: bigint;
}

/** A Paillier secret key: the factors, and what decryption precomputes from them. */
export interface PaillierSecretKey {
  readonly publicKey: PaillierPublicKey;
  readonly factors: FactoredModulus;
  /** φ(N)^-1 mod N */
  readonly phiInverse: bigint;
}

/** An element of Z*_N². */
export type Ciphertext = bigint;

export const paillierPublicKey = (n: bigint): PaillierPublicKey => ({ n, nSquared: n * n });

/** @param p @param q distinct primes, p = q = 3 mod 4, of equal length */
export const paillierSecretKey = (p: bigint, q: bigint): PaillierSecretKey => {
  const factors = factoredModulus(p, q);
  return { publicKey: paillierPublicKey(factors.n), factors, phiInverse: mustInvert(factors.phi, factors.n) };
};

/** Ciphertexts as they travel: at most the bits of N². */
export const ciphertextCodec = (modulusBits: number): Codec<Ciphertext> => natural(2 * modulusBits);

/** Whether a value is a ciphertext under the key: in [1, N²) and prime to N. Check before any use. */
export const isCiphertext = (key: PaillierPublicKey, value: bigint): boolean =>
  value > 0n && value < key.nSquared && isUnit(value % key.n, key.n);

const embed = (key: PaillierPublicKey, plaintext: bigint): bigint =>
  (1n + modulo(plaintext, key.n) * key.n) % key.nSquared;

/** enc_N(m; r) = (1 + mN)·r^N mod N², m signed, r in Z*_N. */
export const encrypt = (key: PaillierPublicKey, plaintext: bigint, nonce: bigint): Ciphertext =>
  (embed(key, plaintext) * powModulo(nonce, key.n, key.nSquared)) % key.nSquared;

/** The same ciphertext, made by the owner of the factors in a third of the time. */
export const encryptOwn = (key: PaillierSecretKey, plaintext: bigint, nonce: bigint): Ciphertext =>
  (embed(key.publicKey, plaintext) * nthPower(key.factors, nonce)) % key.publicKey.nSquared;

/** The signed plaintext in (-N/2, N/2]. The ciphertext has passed isCiphertext. */
export const decrypt = (key: PaillierSecretKey, ciphertext: Ciphertext): bigint => {
  const { n } = key.publicKey;
  const unmasked = powerModNSquared(key.factors, ciphertext, key.factors.phi);
  return symmetricModulo(((unmasked - 1n) / n) * key.phiInverse, n);
};

/** The encryption of the sum. */
export const add = (key: PaillierPublicKey, a: Ciphertext, b: Ciphertext): Ciphertext => (a * b) % key.nSquared;

/** The encryption of factor times the plaintext; factor signed. The ciphertext has passed isCiphertext. */
export const scale = (key: PaillierPublicKey, ciphertext: Ciphertext, factor: bigint): Ciphertext => {
  const scaled = power(ciphertext, factor, key.nSquared);
  if (scaled === undefined) throw new Error("scale takes ciphertexts that passed isCiphertext");
  return scaled;
};

/** The same, by the owner of the factors. */
export const scaleOwn = (key: PaillierSecretKey, ciphertext: Ciphertext, factor: bigint): Ciphertext =>
  powerModNSquared(key.factors, ciphertext, factor);

/** The encryption of the negated plaintext. */
export const negate = (key: PaillierPublicKey, ciphertext: Ciphertext): Ciphertext => {
  const negated = inverse(ciphertext, key.nSquared);
  if (negated === undefined) throw new Error("negate takes ciphertexts that passed isCiphertext");
  return negated;
};
