import { type Timer, type World, worldOf } from "@conclave/custody";
import { seededEntropy } from "@conclave/threshold/testing";

interface Entry {
  readonly atMs: number;
  readonly run: () => void;
}

/** A world whose time moves only by steps, and whose randomness comes from a seed. */
export interface VirtualWorld extends World {
  /** Runs the next entry, unless it is later than the limit, in Unix milliseconds. Returns whether it ran one. */
  readonly step: (limitMs: number) => boolean;
}

/** Due tasks run in the order of their times, then of their creation. Neither clock is ever set. */
export const openVirtualWorld = (startMs: number, seed: string): VirtualWorld => {
  let nowMs = startMs;
  const entries = new Set<Entry>();
  const after = (ms: number, run: () => void): Timer => {
    const entry = { atMs: nowMs + Math.max(0, ms), run };
    entries.add(entry);
    return { stop: () => void entries.delete(entry) };
  };
  const every = (ms: number, run: () => void): Timer => {
    let isStopped = false;
    const again = (): void => {
      run();
      if (!isStopped) next = after(Math.max(1, ms), again);
    };
    let next = after(Math.max(1, ms), again);
    return {
      stop: () => {
        isStopped = true;
        next.stop();
      },
    };
  };
  const step = (limitMs: number): boolean => {
    const next = earliestOf(entries);
    if (next === undefined || next.atMs > limitMs) return false;
    entries.delete(next);
    nowMs = next.atMs;
    next.run();
    return true;
  };
  const world = worldOf({
    nowMs: () => nowMs,
    monotonicMs: () => nowMs - startMs,
    after,
    every,
    entropy: seededEntropy(seed),
  });
  return { ...world, step };
};

const earliestOf = (entries: Iterable<Entry>): Entry | undefined => {
  let earliest: Entry | undefined;
  for (const entry of entries) {
    // a set keeps the order of creation
    if (earliest === undefined || entry.atMs < earliest.atMs) earliest = entry;
  }
  return earliest;
};
