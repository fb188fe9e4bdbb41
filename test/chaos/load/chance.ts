/** Draws numbers from 0 (inclusive) to 1 (exclusive). */
export type Chance = () => number;

const STEP = 0x6d2b79f5;
const RANGE = 2 ** 32;

/** A seeded generator (mulberry32): equal seeds give equal draws. Not for secrets. */
export const seededChance = (seed: number): Chance => {
  let state = seed | 0;
  return () => {
    state = (state + STEP) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / RANGE;
  };
};

/** One of the entries. @throws RangeError when there are none */
export const drawn = <Entry>(chance: Chance, entries: readonly Entry[]): Entry => {
  const entry = entries[Math.floor(chance() * entries.length)];
  if (entry === undefined) throw new RangeError("there is nothing to draw from");
  return entry;
};
