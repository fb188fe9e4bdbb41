import { modulo, mustInvert } from "../../arithmetic/integers.ts";
import { powModulo } from "../../arithmetic/openssl.ts";
import type { PaillierPublicKey } from "../../paillier.ts";
import type { OwnRingPedersen } from "../../ring-pedersen.ts";

/** The group of s and t for its owner, who knows its order and so can take roots. */
export interface KnownOrder {
  /** t^exponent for any signed exponent */
  readonly t: (exponent: bigint) => bigint;
  /** Π base^exponent mod N^, for elements of the group */
  readonly product: (...powers: readonly (readonly [base: bigint, exponent: bigint])[]) => bigint;
  /** exponent^-1 modulo the order */
  readonly inverse: (exponent: bigint) => bigint;
  /** the remainder modulo the order, non-negative */
  readonly reduce: (exponent: bigint) => bigint;
}

/** The group of the squares modulo N^ = p·q, both safe primes: its order is (p-1)(q-1)/4. */
export const knownOrder = ({ parameters, factors }: OwnRingPedersen): KnownOrder => {
  const order = factors.phi / 4n;
  const { n } = parameters;
  const reduce = (exponent: bigint): bigint => modulo(exponent, order);
  const product: KnownOrder["product"] = (...powers) =>
    powers.reduce((left, [base, exponent]) => (left * powModulo(base, reduce(exponent), n)) % n, 1n);
  return {
    t: (exponent) => product([parameters.t, exponent]),
    product,
    inverse: (exponent) => mustInvert(exponent, order),
    reduce,
  };
};

/**
 * A ciphertext with a shifted plaintext: c·(1 + N)^off mod N². Everybody can divide plaintexts, since they
 * count modulo N.
 */
export const movedPlaintext = ({ n, nSquared }: PaillierPublicKey, ciphertext: bigint, off: bigint): bigint =>
  (ciphertext * (1n + modulo(off, n) * n)) % nSquared;

/** c^exponent mod N² for a signed exponent. */
export const ciphertextPower = ({ nSquared }: PaillierPublicKey, c: bigint, exponent: bigint): bigint =>
  exponent < 0n ? powModulo(mustInvert(c, nSquared), -exponent, nSquared) : powModulo(c, exponent, nSquared);
