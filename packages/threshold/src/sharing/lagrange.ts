import { type Curve, type GroupPoint, inverseOf, scalarOf } from "../curve.ts";

/**
 * The Lagrange coefficients λ_i with f(at) = Σ λ_i·f(i) for every polynomial f of degree below the number of
 * indices.
 *
 * @param indices of the parties, at least one; distinct and nonzero mod q after reduction (P9, P10: index q·k
 * would act as 0, where the polynomial has the secret itself)
 * @param at the argument at which f is interpolated
 * @returns λ_i in the order of the indices
 * @throws RangeError when the indices are invalid: callers choose them, peers do not
 */
export const lagrangeAt = <P extends GroupPoint<P>>(
  curve: Curve<P>,
  indices: readonly (number | bigint)[],
  at: number,
): readonly bigint[] => {
  const reduced = indices.map((index) => scalarOf(curve, BigInt(index)));
  if (reduced.length === 0) throw new RangeError("no indices to interpolate over");
  if (reduced.includes(0n)) throw new RangeError("an index is zero mod q");
  if (new Set(reduced).size !== reduced.length) throw new RangeError("two indices are equal mod q");
  const argument = BigInt(at);
  return reduced.map((index) => {
    let numerator = 1n;
    let denominator = 1n;
    for (const other of reduced) {
      if (other === index) continue;
      numerator = scalarOf(curve, numerator * (other - argument));
      denominator = scalarOf(curve, denominator * (other - index));
    }
    return scalarOf(curve, numerator * inverseOf(curve, denominator));
  });
};

/**
 * λ_i with f(0) = Σ λ_i·f(i), in the order of the indices.
 *
 * @throws RangeError when the indices are invalid; see lagrangeAt
 */
export const lagrangeAtZero = <P extends GroupPoint<P>>(
  curve: Curve<P>,
  indices: readonly (number | bigint)[],
): readonly bigint[] => lagrangeAt(curve, indices, 0);

/**
 * The Lagrange coefficient at zero of one index.
 *
 * @throws RangeError when `of` is not one of the indices, or they are invalid; see lagrangeAt
 */
export const lagrangeCoefficient = <P extends GroupPoint<P>>(
  curve: Curve<P>,
  indices: readonly number[],
  of: number,
): bigint => {
  const coefficient = lagrangeAtZero(curve, indices)[indices.indexOf(of)];
  if (coefficient === undefined) throw new RangeError(`index ${of} is not among those interpolated over`);
  return coefficient;
};

/**
 * f(at)·G from points f(i)·G.
 *
 * @param points by index i
 */
export const interpolatePoint = <P extends GroupPoint<P>>(
  curve: Curve<P>,
  points: ReadonlyMap<number, P>,
  at: number,
): P => combineShort(curve, [...points.values()], lagrangeAt(curve, [...points.keys()], at));

/**
 * Σ λ_j·P_j, with each λ_j reduced to (-q/2, q/2] and its sign moved to the point: for small indices many
 * coefficients are small, such as 3, -3 and 1 for f(0) from 1, 2 and 3, and need two doublings instead of
 * 255.
 */
const combineShort = <P extends GroupPoint<P>>(
  curve: Curve<P>,
  points: readonly P[],
  coefficients: readonly bigint[],
): P => {
  const isNegative = (coefficient: bigint): boolean => 2n * coefficient > curve.order;
  return curve.combineKnown(
    points.map((point, position) => (isNegative(coefficients[position] ?? 0n) ? point.negate() : point)),
    coefficients.map((coefficient) => (isNegative(coefficient) ? curve.order - coefficient : coefficient)),
  );
};

/**
 * Whether the points f(i)·G lie on one polynomial of degree below the threshold, so that any t determine all
 * others.
 *
 * @param points at least `threshold`
 */
export const isOfDegreeBelow = <P extends GroupPoint<P>>(
  curve: Curve<P>,
  points: ReadonlyMap<number, P>,
  threshold: number,
): boolean => {
  const all = [...points];
  const known = new Map(all.slice(0, threshold));
  return all.slice(threshold).every(([at, point]) => interpolatePoint(curve, known, at).equals(point));
};
