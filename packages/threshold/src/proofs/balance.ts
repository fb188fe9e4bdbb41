import { powerModN, powerModNSquared } from "../arithmetic/factored.ts";
import { absolute } from "../arithmetic/integers.ts";
import { powModulo } from "../arithmetic/openssl.ts";
import {
  type Ciphertext,
  encrypt,
  encryptOwn,
  type PaillierPublicKey,
  type PaillierSecretKey,
} from "../paillier.ts";
import { commit, commitOwn, type OwnRingPedersen, type RingPedersen } from "../ring-pedersen.ts";

/**
 * The verification equations of the range proofs, each as "a product is 1". Factors with a negative exponent
 * move to the other side, so that a verifier never inverts, and never turns a short negative exponent into one
 * as long as the group's order.
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
 * Whether enc_N(plaintext; nonce) · Π ciphertext^exponent = 1 mod N², which is to say that the plaintexts and
 * the nonces balance.
 *
 * @param powers of ciphertexts under the key
 * @param own the key's factors, when the verifier is its maker
 */
export const paillierBalances = (
  key: PaillierPublicKey,
  plaintext: bigint,
  nonce: bigint,
  powers: readonly (readonly [ciphertext: Ciphertext, exponent: bigint])[],
  own: PaillierSecretKey | undefined,
): boolean =>
  own === undefined
    ? isOne(key.nSquared, encrypt(key, plaintext, nonce), powers, (base, exponent) =>
        powModulo(base, exponent, key.nSquared),
      )
    : isOne(key.nSquared, encryptOwn(own, plaintext, nonce), powers, (base, exponent) =>
        powerModNSquared(own.factors, base, exponent),
      );

/**
 * Whether s^x · t^r · Π base^exponent = 1 mod N^.
 *
 * @param powers of elements of Z*_N^
 * @param own the factors of N^ and λ, when the verifier is their maker
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
