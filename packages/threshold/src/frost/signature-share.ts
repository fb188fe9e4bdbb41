import { concatBytes } from "@noble/curves/utils.js";
import { type GroupPoint, multiplyKnown, scalarOf } from "../curve.ts";
import type { PartyIndex } from "../fault.ts";
import { lagrangeCoefficient } from "../sharing/lagrange.ts";
import type { Ciphersuite, SigningKey } from "./ciphersuite.ts";
import { bindingFactors, type CommitmentList, groupCommitment } from "./commitments.ts";
import type { Nonces } from "./nonce.ts";

/** The values that all signers of one signature compute equally, once they agree on the commitments and the message. */
export interface SharedChallenge<P extends GroupPoint<P>> {
  readonly suite: Ciphersuite<P>;
  readonly key: SigningKey<P>;
  readonly list: CommitmentList<P>;
  /** ρ_j, in the order of the list */
  readonly factors: readonly bigint[];
  readonly R: P;
  readonly areNoncesNegated: boolean;
  readonly c: bigint;
}

/**
 * Computes R and c of a signature.
 *
 * @param key the suite's signing key for the shared key
 * @param list of exactly the signers, ascending
 * @returns undefined when R is the identity, which happens with negligible probability when one commitment is honest
 */
export const shareChallenge = <P extends GroupPoint<P>>(
  suite: Ciphersuite<P>,
  key: SigningKey<P>,
  list: CommitmentList<P>,
  message: Uint8Array,
): SharedChallenge<P> | undefined => {
  const factors = bindingFactors(suite, key.publicKey, list, message);
  const R = groupCommitment(suite, list, factors);
  if (R.is0()) return undefined;
  const areNoncesNegated = suite.negatesNonces(R);
  return { suite, key, list, factors, R, areNoncesNegated, c: suite.challenge(R, key.publicKey, message) };
};

/** The position of a party in the list. @throws RangeError when it is missing: the list has exactly the signers */
const positionOf = <P extends GroupPoint<P>>({ list }: SharedChallenge<P>, party: PartyIndex): number => {
  const position = list.findIndex((commitment) => commitment.party === party);
  if (position < 0) throw new RangeError(`party ${party} made no commitment`);
  return position;
};

const coefficientOf = <P extends GroupPoint<P>>(
  { suite, list }: SharedChallenge<P>,
  party: PartyIndex,
): bigint =>
  lagrangeCoefficient(
    suite.curve,
    list.map((commitment) => commitment.party),
    party,
  );

/**
 * z_i = ±(d_i + ρ_i·e_i) + λ_i·c·s_i: RFC 9591, section 5.2. The nonces must not be used again.
 *
 * @param secretShare x_i, from key generation
 */
export const signatureShare = <P extends GroupPoint<P>>(
  challenge: SharedChallenge<P>,
  self: PartyIndex,
  secretShare: bigint,
  { hiding, binding }: Nonces,
): bigint => {
  const { suite, key, factors, areNoncesNegated, c } = challenge;
  const factor = factors[positionOf(challenge, self)] ?? 0n;
  const nonce = hiding + factor * binding;
  const share = (key.isNegated ? -secretShare : secretShare) + key.shift;
  const lambda = coefficientOf(challenge, self);
  return scalarOf(suite.curve, (areNoncesNegated ? -nonce : nonce) + lambda * c * share);
};

/**
 * Whether z_j·G = ±(D_j + ρ_j·E_j) + λ_j·c·S_j: RFC 9591, section 5.4.
 *
 * @param publicShare X_j, from key generation
 */
export const isSignatureShare = <P extends GroupPoint<P>>(
  challenge: SharedChallenge<P>,
  party: PartyIndex,
  publicShare: P,
  z: bigint,
): boolean => {
  const { suite, key, list, factors, areNoncesNegated, c } = challenge;
  const { curve } = suite;
  const position = positionOf(challenge, party);
  const commitment = list[position];
  if (commitment === undefined) return false;
  const nonce = commitment.hiding.add(multiplyKnown(curve, commitment.binding, factors[position] ?? 0n));
  const shift = multiplyKnown(curve, curve.generator, key.shift);
  const share = (key.isNegated ? publicShare.negate() : publicShare).add(shift);
  const expected = (areNoncesNegated ? nonce.negate() : nonce).add(
    multiplyKnown(curve, share, coefficientOf(challenge, party) * c),
  );
  return multiplyKnown(curve, curve.generator, z).equals(expected);
};

/** The signature (R, Σ z_j), not verified: RFC 9591, section 5.3. */
export const aggregate = <P extends GroupPoint<P>>(
  { suite, R }: SharedChallenge<P>,
  shares: Iterable<bigint>,
): Uint8Array => {
  let sum = 0n;
  for (const share of shares) sum += share;
  return concatBytes(suite.pointBytes(R), suite.scalarBytes(scalarOf(suite.curve, sum)));
};
