import {
  areUnits,
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

/** A Paillier secret key: the factors, and what decryption precomputes from them. */
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

export const paillierPublicKey = (n: bigint): PaillierPublicKey => ({ n, nSquared: n * n });

/** @param p @param q distinct primes, p = q = 3 mod 4, of equal length */
export const paillierSecretKey = (p: bigint, q: bigint): PaillierSecretKey => {
  const factors = factoredModulus(p, q);
  return {
    publicKey: paillierPublicKey(factors.n),
    factors,
    scaleP: mustInvert(-q, p),
    scaleQ: mustInvert(-p, q),
  };
};

/** Ciphertexts as they travel: at most the bits of N². */
export const ciphertextCodec = (modulusBits: number): Codec<Ciphertext> => natural(2 * modulusBits);

/**
 * Whether all values are ciphertexts under the key: in [1, N²) and prime to N. Check before any use.
 *
 * @param own the secret key, when it is ours: it spares Euclid
 */
export const areCiphertexts = (
  key: PaillierPublicKey,
  values: readonly bigint[],
  own?: PaillierSecretKey,
): boolean =>
  values.every((value) => value > 0n && value < key.nSquared) &&
  areUnits(
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

/** The same ciphertext, made by the owner of the factors in a third of the time. */
export const encryptOwn = (key: PaillierSecretKey, plaintext: bigint, nonce: bigint): Ciphertext =>
  (embed(key.publicKey, plaintext) * nthPower(key.factors, nonce)) % key.publicKey.nSquared;

/** What makes an encryption hiding: r in Z*_N and r^N mod N². It depends on no plaintext, so it can be made ahead. */
export interface Mask {
  readonly nonce: bigint;
  readonly power: bigint;
}

/** A fresh mask under a peer's key. Used once (P14). */
export const sampleMask = (key: PaillierPublicKey, entropy: Entropy): Mask => {
  const nonce = sampleUnit(entropy, key.n);
  return { nonce, power: powModulo(nonce, key.n, key.nSquared) };
};

/** A fresh mask under our own key, in a third of the time. */
export const sampleMaskOwn = (key: PaillierSecretKey, entropy: Entropy): Mask => {
  const nonce = sampleUnit(entropy, key.publicKey.n);
  return { nonce, power: nthPower(key.factors, nonce) };
};

/** enc_N(m; r) with the mask's r. */
export const encryptMasked = (key: PaillierPublicKey, plaintext: bigint, mask: Mask): Ciphertext =>
  (embed(key, plaintext) * mask.power) % key.nSquared;

/**
 * The signed plaintext in (-N/2, N/2]. The ciphertext has passed isCiphertext.
 *
 * Modulo p², c^(p-1) = 1 + m·(p-1)·q·p: the mask's order divides p-1. So m mod p costs one power with a short
 * exponent, m mod q another.
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

/** The encryption of the sum. */
export const add = (key: PaillierPublicKey, a: Ciphertext, b: Ciphertext): Ciphertext =>
  (a * b) % key.nSquared;

const lastInverse = new WeakMap<PaillierPublicKey, { readonly of: Ciphertext; readonly is: Ciphertext }>();

/**
 * The encryption of the negated plaintext: value^-1 mod N² from the inverse mod N, by one step of Newton, a quarter of a
 * Euclid modulo N². The last one of each key is remembered, for one ciphertext is scaled several times.
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
 * The encryption of factor times the plaintext; factor signed. The ciphertext has passed isCiphertext. It is inverted
 * whatever the sign, so that the time does not tell it (P16).
 */
export const scale = (key: PaillierPublicKey, ciphertext: Ciphertext, factor: bigint): Ciphertext => {
  const inverted = negate(key, ciphertext);
  return powModulo(factor < 0n ? inverted : ciphertext, absolute(factor), key.nSquared);
};
