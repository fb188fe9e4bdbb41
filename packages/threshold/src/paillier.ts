import {
  areUnitsKnowing,
  type FactoredModulus,
  factoredModulus,
  fromResidues,
  nthPower,
} from "./arithmetic/factored.ts";
import { absolute, inverse, modulo, mustInvert, symmetricModulo } from "./arithmetic/integers.ts";
import { powModulo } from "./arithmetic/openssl.ts";
import { type Codec, natural } from "./codec.ts";
import { type Entropy, sampleUnit } from "./entropy.ts";

/** A Paillier public key: N = p·q. Plaintexts are signed, in (-N/2, N/2). */
export interface PaillierPublicKey {
  readonly n: bigint;
  readonly nSquared: bigint;
}

/** A Paillier secret key: the factors of N, and the values that decryption precomputes from them. */
export interface PaillierSecretKey {
  readonly publicKey: PaillierPublicKey;
  readonly factors: FactoredModulus;
  /** (-q)^-1 mod p */
  readonly scaleP: bigint;
  /** (-p)^-1 mod q */
  readonly scaleQ: bigint;
}

/** An element of Z*_N². */
export type Ciphertext = bigint;

/** The public key of a modulus N. Does not check N. */
export const paillierPublicKey = (n: bigint): PaillierPublicKey => ({ n, nSquared: n * n });

/**
 * The secret key of two primes.
 *
 * @param p @param q distinct primes, p = q = 3 mod 4, of equal length
 */
export const paillierSecretKey = (p: bigint, q: bigint): PaillierSecretKey => {
  const factors = factoredModulus(p, q);
  return {
    publicKey: paillierPublicKey(factors.n),
    factors,
    scaleP: mustInvert(-q, p),
    scaleQ: mustInvert(-p, q),
  };
};

/** Encodes a ciphertext: at most the bits of N². */
export const ciphertextCodec = (modulusBits: number): Codec<Ciphertext> => natural(2 * modulusBits);

/**
 * Whether all values are ciphertexts under the key: in [1, N²) and coprime to N. Callers check this before
 * any use.
 *
 * @param own the secret key, if it is ours: the check then needs no gcd
 */
export const areCiphertexts = (
  key: PaillierPublicKey,
  values: readonly bigint[],
  own?: PaillierSecretKey,
): boolean =>
  values.every((value) => value > 0n && value < key.nSquared) &&
  areUnitsKnowing(
    values.map((value) => value % key.n),
    key.n,
    own?.factors,
  );

/** Whether a value is a ciphertext under the key. */
export const isCiphertext = (key: PaillierPublicKey, value: bigint): boolean => areCiphertexts(key, [value]);

const embed = (key: PaillierPublicKey, plaintext: bigint): bigint =>
  (1n + modulo(plaintext, key.n) * key.n) % key.nSquared;

/** enc_N(m; r) = (1 + mN)·r^N mod N², m signed, r in Z*_N. */
export const encrypt = (key: PaillierPublicKey, plaintext: bigint, nonce: bigint): Ciphertext =>
  (embed(key, plaintext) * powModulo(nonce, key.n, key.nSquared)) % key.nSquared;

/** The same ciphertext as `encrypt`, computed with the factors of N in a third of the time. */
export const encryptOwn = (key: PaillierSecretKey, plaintext: bigint, nonce: bigint): Ciphertext =>
  (embed(key.publicKey, plaintext) * nthPower(key.factors, nonce)) % key.publicKey.nSquared;

/** The randomness of an encryption: r in Z*_N and r^N mod N². It is independent of the plaintext, so it can be precomputed. */
interface Mask {
  readonly nonce: bigint;
  readonly power: bigint;
}

/** Samples a mask under a peer's key. Each mask is used once (P14). */
export const sampleMask = (key: PaillierPublicKey, entropy: Entropy): Mask => {
  const nonce = sampleUnit(entropy, key.n);
  return { nonce, power: powModulo(nonce, key.n, key.nSquared) };
};

/** Samples a mask under our own key, in a third of the time. */
export const sampleMaskOwn = (key: PaillierSecretKey, entropy: Entropy): Mask => {
  const nonce = sampleUnit(entropy, key.publicKey.n);
  return { nonce, power: nthPower(key.factors, nonce) };
};

/** enc_N(m; r) with the r of the mask. */
export const encryptMasked = (key: PaillierPublicKey, plaintext: bigint, mask: Mask): Ciphertext =>
  (embed(key, plaintext) * mask.power) % key.nSquared;

/**
 * Decrypts to the signed plaintext in (-N/2, N/2]. The ciphertext must have passed isCiphertext.
 *
 * Modulo p², c^(p-1) = 1 + m·(p-1)·q·p, because the order of the mask divides p-1. So m mod p costs one power
 * with a short exponent, and m mod q another.
 */
export const decrypt = (key: PaillierSecretKey, ciphertext: Ciphertext): bigint => {
  const { p, q, pSquared, qSquared, n } = key.factors;
  const residue = (prime: bigint, square: bigint, scaling: bigint): bigint =>
    ((powModulo(ciphertext % square, prime - 1n, square) - 1n) / prime) * scaling;
  return symmetricModulo(
    fromResidues(key.factors, residue(p, pSquared, key.scaleP), residue(q, qSquared, key.scaleQ)),
    n,
  );
};

/** The encryption of the sum of two plaintexts. */
export const add = (key: PaillierPublicKey, a: Ciphertext, b: Ciphertext): Ciphertext =>
  (a * b) % key.nSquared;

const lastInverse = new WeakMap<PaillierPublicKey, { readonly of: Ciphertext; readonly is: Ciphertext }>();

/**
 * The encryption of the negated plaintext: c^-1 mod N² from the inverse mod N by one Newton step, at a
 * quarter of the cost of Euclid's algorithm modulo N². The last result for each key is cached, because
 * callers scale one ciphertext several times.
 */
export const negate = (key: PaillierPublicKey, ciphertext: Ciphertext): Ciphertext => {
  const known = lastInverse.get(key);
  if (known?.of === ciphertext) return known.is;
  const inverted = inverse(ciphertext % key.n, key.n);
  if (inverted === undefined) throw new Error("ciphertexts are inverted after they passed isCiphertext");
  const made = modulo(inverted * (2n - ciphertext * inverted), key.nSquared);
  lastInverse.set(key, { of: ciphertext, is: made });
  return made;
};

/**
 * The encryption of factor times the plaintext, for a signed factor. The ciphertext must have passed
 * isCiphertext. It is inverted for either sign, so that the time does not reveal the sign (P16).
 */
export const scale = (key: PaillierPublicKey, ciphertext: Ciphertext, factor: bigint): Ciphertext => {
  const inverted = negate(key, ciphertext);
  return powModulo(factor < 0n ? inverted : ciphertext, absolute(factor), key.nSquared);
};
