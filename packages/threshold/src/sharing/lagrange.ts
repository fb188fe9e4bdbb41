import { invertScalar, multiplyPublic, type Point, scalar, sumPoints } from "../group.ts";

/**
 * λ_i with f(0) = Σ λ_i·f(i) for every polynomial of degree below the number of indices.
 *
 * @param indices of the parties, at least one; distinct and nonzero mod q, as reduced there (P9, P10:
 *   index q·k would act as 0, the place of the secret itself)
 * @returns λ_i in the order of the indices
 * @throws RangeError when the indices are unfit: callers choose them, peers do not
 */
export const lagrangeAtZero = (indices: readonly (number | bigint)[]): readonly bigint[] => {
  const places = indices.map((index) => scalar(BigInt(index)));
  if (places.length === 0) throw new RangeError("no indices to interpolate over");
  if (places.includes(0n)) throw new RangeError("an index is zero mod q");
  if (new Set(places).size !== places.length) throw new RangeError("two indices are equal mod q");
  return places.map((at) => {
    let numerator = 1n;
    let denominator = 1n;
    for (const other of places) {
      if (other === at) continue;
      numerator = scalar(numerator * other);
      denominator = scalar(denominator * (other - at));
    }
    return scalar(numerator * invertScalar(denominator));
  });
};

/** λ_i of one of the indices. */
export const lagrangeCoefficient = (indices: readonly number[], of: number): bigint => {
  const coefficient = lagrangeAtZero(indices)[indices.indexOf(of)];
  if (coefficient === undefined) throw new RangeError(`index ${of} is not among those interpolated over`);
  return coefficient;
};

/** f(0)·G from f(i)·G at the indices. */
export const interpolatePointAtZero = (points: ReadonlyMap<number, Point>): Point => {
  const coefficients = lagrangeAtZero([...points.keys()]);
  return sumPoints([...points.values()].map((point, at) => multiplyPublic(point, coefficients[at] ?? 0n)));
};
