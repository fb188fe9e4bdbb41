import { powerModN } from "../arithmetic/factored.ts";
import { absolute } from "../arithmetic/integers.ts";
import { powModulo } from "../arithmetic/openssl.ts";
import { type Ciphertext, encrypt, type PaillierPublicKey, type PaillierSecretKey } from "../paillier.ts";
import { commit, commitOwn, type OwnRingPedersen, type RingPedersen } from "../ring-pedersen.ts";

/**
 * The verification equations of the range proofs, each in the form "a product is 1". Factors with a negative
 * exponent move to the other side: so a verifier never inverts, and never replaces a short negative exponent
 * by one as long as the group order.
 */
type Power = readonly [base: bigint, exponent: bigint];

type Raise = (base: bigint, exponent: bigint) => bigint;

/** Whether first · Π base^exponent = 1 mod modulus; every base is a unit. */
const isOne = (modulus: bigint, first: bigint, powers: readonly Power[], raise: Raise): boolean => {
  let left = first % modulus;
  let right = 1n;
  for (const [base, exponent] of powers) {
    const raised = raise(base, absolute(exponent));
    if (exponent < 0n) right = (right * raised) % modulus;
    else left = (left * raised) % modulus;
  }
  return left === right;
};

/**
 * Whether enc_N(plaintext; nonce) · Π ciphertext^exponent = 1 mod N²: plaintexts and nonces cancel.
 *
 * @param powers of ciphertexts under the key
 */
export const paillierBalances = (
  key: PaillierPublicKey,
  plaintext: bigint,
  nonce: bigint,
  powers: readonly (readonly [ciphertext: Ciphertext, exponent: bigint])[],
): boolean =>
  isOne(key.nSquared, encrypt(key, plaintext, nonce), powers, (base, exponent) =>
    powModulo(base, exponent, key.nSquared),
  );

/** A ciphertext under our own key, with its plaintext. */
interface OpenPower {
  readonly ciphertext: Ciphertext;
  readonly exponent: bigint;
  readonly plaintext: bigint;
}

/**
 * The same check by the owner of the key, which knows the plaintexts. An element (1 + mN)·r^N of Z*_N² is 1
 * exactly when m = 0 mod N and r^N = 1 mod N: the map from r mod N to r^N mod N is injective, because N is
 * coprime to φ(N). So the check costs a sum of plaintexts, and powers modulo p and q instead of p² and q².
 */
export const openPaillierBalances = (
  { publicKey, factors }: PaillierSecretKey,
  plaintext: bigint,
  nonce: bigint,
  powers: readonly OpenPower[],
): boolean => {
  const { n } = publicKey;
  const sum = powers.reduce((total, one) => total + one.exponent * one.plaintext, plaintext);
  const residues = powers.map(({ ciphertext, exponent }) => [ciphertext, exponent] as const);
  const raise: Raise = (base, exponent) => powerModN(factors, base, exponent);
  return sum % n === 0n && isOne(n, raise(nonce, n), residues, raise);
};

/**
 * Whether s^x · t^r · Π base^exponent = 1 mod N^.
 *
 * @param powers of elements of Z*_N^
 * @param own the factors of N^ and λ, when the verifier owns the parameters
 */
export const pedersenBalances = (
  parameters: RingPedersen,
  x: bigint,
  r: bigint,
  powers: readonly Power[],
  own: OwnRingPedersen | undefined,
): boolean =>
  own === undefined
    ? isOne(parameters.n, commit(parameters, x, r), powers, (base, exponent) =>
        powModulo(base, exponent, parameters.n),
      )
    : isOne(parameters.n, commitOwn(own, x, r), powers, (base, exponent) =>
        powerModN(own.factors, base, exponent),
      );
