/** Returns the quantile of the samples by nearest rank. `share` is from 0 to 1. Throws if there are no samples. */
export const quantile = (samples: readonly number[], share: number): number => {
  const sorted = [...samples].sort((a, b) => a - b);
  const rank = Math.max(1, Math.ceil(share * sorted.length));
  const value = sorted[rank - 1];
  if (value === undefined) throw new RangeError("no samples were taken");
  return value;
};

export const median = (samples: readonly number[]): number => quantile(samples, 0.5);

export const mean = (samples: readonly number[]): number => {
  if (samples.length === 0) throw new RangeError("no samples were taken");
  return samples.reduce((sum, sample) => sum + sample, 0) / samples.length;
};
