import type { Tell } from "./progress.ts";

export interface Sampling {
  readonly what: string;
  /** how many samples are wanted */
  readonly count: number;
  /** no new sample begins after this, so that a slow machine does not measure for ever */
  readonly limitMs: number;
}

/** Takes samples one after the other, at least one. */
export const takeSamples = async <T>(
  { what, count, limitMs }: Sampling,
  tell: Tell,
  sample: (position: number) => Promise<T>,
): Promise<readonly T[]> => {
  const end = performance.now() + limitMs;
  const taken: T[] = [];
  do {
    taken.push(await sample(taken.length));
  } while (taken.length < count && performance.now() < end);
  tell(`${what}: ${taken.length} of ${count} taken`);
  return taken;
};

/** How long something took, in milliseconds by the wall clock. */
export const timed = async <T>(
  work: () => Promise<T>,
): Promise<{ readonly result: T; readonly ms: number }> => {
  const began = performance.now();
  const result = await work();
  return { result, ms: performance.now() - began };
};

/** Works with so many at a time until the time is over or so many are done, and says how long each took, and all. */
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
