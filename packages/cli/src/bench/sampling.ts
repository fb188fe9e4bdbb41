import type { Report } from "./progress.ts";

export interface Sampling {
  readonly what: string;
  /** number of samples */
  readonly count: number;
  /** milliseconds after which no new sample begins, so that a slow machine finishes too */
  readonly limitMs: number;
}

/** Takes samples one at a time, at least one. */
export const takeSamples = async <T>(
  { what, count, limitMs }: Sampling,
  report: Report,
  sample: (position: number) => Promise<T>,
): Promise<readonly T[]> => {
  const end = performance.now() + limitMs;
  const taken: T[] = [];
  do {
    taken.push(await sample(taken.length));
  } while (taken.length < count && performance.now() < end);
  report(`${what}: ${taken.length} of ${count} taken`);
  return taken;
};

/** Measures how long something takes, in milliseconds of wall-clock time. */
export const timed = async <T>(
  work: () => Promise<T>,
): Promise<{ readonly result: T; readonly ms: number }> => {
  const began = performance.now();
  const result = await work();
  return { result, ms: performance.now() - began };
};

/**
 * Keeps `inFlight` calls of the work running until the time is over or the count is reached.
 * @returns the time of each call and of all together, in milliseconds
 */
export const keepBusy = async (
  work: () => Promise<unknown>,
  inFlight: number,
  end: { readonly ms: number; readonly count: number },
): Promise<{ readonly taken: readonly number[]; readonly ms: number }> => {
  const began = performance.now();
  const taken: number[] = [];
  let begun = 0;
  const loop = async (): Promise<void> => {
    while (begun < end.count && performance.now() - began < end.ms) {
      begun += 1;
      taken.push((await timed(work)).ms);
    }
  };
  await Promise.all(Array.from({ length: inFlight }, loop));
  return { taken, ms: performance.now() - began };
};
