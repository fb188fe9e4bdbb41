import { type Curve, type GroupPoint, multiplyGenerator, multiplyKnown, sumOf } from "../curve.ts";
import type { PartyIndex } from "../fault.ts";
import type { Polynomial } from "./polynomial.ts";

/** A Feldman commitment (1987): S_k = s_k·G for every coefficient s_k of a polynomial. */
export type PolynomialCommitment<P> = readonly P[];

/** Commits to a polynomial. */
export const commitTo = <P extends GroupPoint<P>>(
  curve: Curve<P>,
  polynomial: Polynomial,
): PolynomialCommitment<P> => polynomial.map((coefficient) => multiplyGenerator(curve, coefficient));

/** f(at)·G from the commitment to f. */
export const evaluateCommitment = <P extends GroupPoint<P>>(
  curve: Curve<P>,
  commitment: PolynomialCommitment<P>,
  at: number,
): P =>
  commitment.reduceRight((sum, point) => multiplyKnown(curve, sum, BigInt(at)).add(point), curve.identity);

/** Whether `share` is f(receiver) of the committed f; if not, the dealer has cheated. */
export const isShareOf = <P extends GroupPoint<P>>(
  curve: Curve<P>,
  commitment: PolynomialCommitment<P>,
  receiver: PartyIndex,
  share: bigint,
): boolean => multiplyGenerator(curve, share).equals(evaluateCommitment(curve, commitment, receiver));

/**
 * The commitment to the sum of the committed polynomials.
 *
 * @param commitments at least one, all of one length (P10: a longer one would raise the threshold)
 * @throws RangeError when the lengths differ
 */
export const sumCommitments = <P extends GroupPoint<P>>(
  curve: Curve<P>,
  commitments: readonly PolynomialCommitment<P>[],
): PolynomialCommitment<P> => {
  const length = commitments[0]?.length ?? 0;
  if (commitments.some((commitment) => commitment.length !== length)) {
    throw new RangeError("commitments to polynomials of different degrees");
  }
  return Array.from({ length }, (_, k) =>
    sumOf(
      curve,
      commitments.map((commitment) => commitment[k] ?? curve.identity),
    ),
  );
};
