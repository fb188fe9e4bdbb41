/** The timings of one path in two classes, in nanoseconds: with one fixed secret, and with newly drawn ones. */
export interface Timings {
  readonly fixed: readonly number[];
  readonly drawn: readonly number[];
}

const momentsOf = (sample: readonly number[]) => {
  const mean = sample.reduce((sum, value) => sum + value, 0) / sample.length;
  const squares = sample.reduce((sum, value) => sum + (value - mean) ** 2, 0);
  return { mean, error: squares / (sample.length - 1) / sample.length };
};

/** Welch's t of two samples: the difference of their means in standard errors. NaN if a sample has fewer than two values. */
export const welchT = (one: readonly number[], other: readonly number[]): number => {
  if (one.length < 2 || other.length < 2) return Number.NaN;
  const [a, b] = [momentsOf(one), momentsOf(other)];
  const error = Math.sqrt(a.error + b.error);
  if (error === 0) return a.mean === b.mean ? 0 : Math.sign(a.mean - b.mean) * Number.POSITIVE_INFINITY;
  return (a.mean - b.mean) / error;
};

/** Parts of all timings that are kept, dropping the slowest: an interrupt slows some timings whatever their secret. */
const CROPS = [0.5, 0.7, 0.8, 0.9, 0.95, 0.99, 1];

/**
 * The largest |t| between the classes over several crops of the slowest timings.
 *
 * Reparaz, Balasch, Verbauwhede: "Dude, is my code constant time?" (DATE 2017), section 3.
 */
export const largestT = ({ fixed, drawn }: Timings): number => {
  const all = [...fixed, ...drawn].toSorted((a, b) => a - b);
  const values = CROPS.map((part) => {
    const highest = all[Math.ceil(part * all.length) - 1] ?? Number.POSITIVE_INFINITY;
    const below = (sample: readonly number[]) => sample.filter((value) => value <= highest);
    return Math.abs(welchT(below(fixed), below(drawn)));
  });
  return Math.max(0, ...values.filter((value) => !Number.isNaN(value)));
};

/** Above CERTAIN the means certainly differ; below SEEN (4.5) no difference was seen (the same paper, section 3). */
export const CERTAIN = 10;
export const SEEN = 4.5;
