import { type Curve, type GroupPoint, inverseOf, multiplyKnown, scalarOf, sumOf } from "../curve.ts";

/**
 * λ_i with f(place) = Σ λ_i·f(i) for every polynomial of degree below the number of indices.
 *
 * @param indices of the parties, at least one; distinct and nonzero mod q, as reduced there (P9, P10:
 *   index q·k would act as 0, the place of the secret itself)
 * @param place where the polynomial is wanted
 * @returns λ_i in the order of the indices
 * @throws RangeError when the indices are unfit: callers choose them, peers do not
 */
export const lagrangeAt = <P extends GroupPoint<P>>(
  curve: Curve<P>,
  indices: readonly (number | bigint)[],
  place: number,
): readonly bigint[] => {
  const places = indices.map((index) => scalarOf(curve, BigInt(index)));
  if (places.length === 0) throw new RangeError("no indices to interpolate over");
  if (places.includes(0n)) throw new RangeError("an index is zero mod q");
  if (new Set(places).size !== places.length) throw new RangeError("two indices are equal mod q");
  const wanted = BigInt(place);
  return places.map((at) => {
    let numerator = 1n;
    let denominator = 1n;
    for (const other of places) {
      if (other === at) continue;
      numerator = scalarOf(curve, numerator * (other - wanted));
      denominator = scalarOf(curve, denominator * (other - at));
    }
    return scalarOf(curve, numerator * inverseOf(curve, denominator));
  });
};

/**
 * λ_i with f(0) = Σ λ_i·f(i), in the order of the indices.
 *
 * @throws RangeError when the indices are unfit; see lagrangeAt
 */
export const lagrangeAtZero = <P extends GroupPoint<P>>(
  curve: Curve<P>,
  indices: readonly (number | bigint)[],
): readonly bigint[] => lagrangeAt(curve, indices, 0);

/** λ_i at zero of one of the indices. */
export const lagrangeCoefficient = <P extends GroupPoint<P>>(
  curve: Curve<P>,
  indices: readonly number[],
  of: number,
): bigint => {
  const coefficient = lagrangeAtZero(curve, indices)[indices.indexOf(of)];
  if (coefficient === undefined) throw new RangeError(`index ${of} is not among those interpolated over`);
  return coefficient;
};

/** f(place)·G from f(i)·G at the indices. */
export const interpolatePoint = <P extends GroupPoint<P>>(
  curve: Curve<P>,
  points: ReadonlyMap<number, P>,
  place: number,
): P => {
  const coefficients = lagrangeAt(curve, [...points.keys()], place);
  return sumOf(
    curve,
    [...points.values()].map((point, at) => multiplyKnown(curve, point, coefficients[at] ?? 0n)),
  );
};

/**
 * Whether the points f(i)·G lie on one polynomial of degree below the threshold: any t of them give all others.
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
