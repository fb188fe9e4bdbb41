import type { PartyIndex } from "../fault.ts";
import { IDENTITY, multiplyBase, multiplyPublic, type Point, sumPoints } from "../group.ts";
import type { Polynomial } from "./polynomial.ts";

/** S_k = s_k·G for every coefficient of a polynomial (Feldman, 1987). */
export type PolynomialCommitment = readonly Point[];

export const commitTo = (polynomial: Polynomial): PolynomialCommitment => polynomial.map(multiplyBase);

/** f(at)·G from the commitment to f. */
export const evaluateCommitment = (commitment: PolynomialCommitment, at: number): Point =>
  commitment.reduceRight((sum, point) => multiplyPublic(sum, BigInt(at)).add(point), IDENTITY);

/** Whether `share` is f(receiver) of the committed f; if not, who committed has cheated. */
export const isShareOf = (commitment: PolynomialCommitment, receiver: PartyIndex, share: bigint): boolean =>
  multiplyBase(share).equals(evaluateCommitment(commitment, receiver));

/**
 * The commitment to the sum of the committed polynomials.
 *
 * @param commitments of one length, at least one (P10: a longer one would raise the threshold)
 */
export const sumCommitments = (commitments: readonly PolynomialCommitment[]): PolynomialCommitment => {
  const length = commitments[0]?.length ?? 0;
  if (commitments.some((commitment) => commitment.length !== length)) {
    throw new RangeError("commitments to polynomials of different degrees");
  }
  return Array.from({ length }, (_, k) =>
    sumPoints(commitments.map((commitment) => commitment[k] ?? IDENTITY)),
  );
};
