/** So many open requests, and as many settled ones, of which no block tells are looked at in a round, however many there are. */
export const LOOKS_A_ROUND = 16;

/**
 * Who was never looked at is taken for looked at so long ago: those that have waited longer come first. Otherwise many new ones,
 * round after round, would keep all others from their turns.
 */
const NEVER_MS = 10_000;

/** When each of those that are looked at one by one was looked at last, in milliseconds of any clock. */
export type Looks = ReadonlyMap<string, number>;

export interface Turns {
  readonly looks: Looks;
  readonly nowMs: number;
  /** none is looked at sooner than so long after the time before */
  readonly againMs: number;
  readonly most: number;
}

/** Whose turn it is: those that were looked at longest ago first. */
export const whoseTurn = <Id extends string>(
  ids: readonly Id[],
  { looks, nowMs, againMs, most }: Turns,
): readonly Id[] =>
  ids
    .map((id) => ({ id, last: looks.get(id) ?? nowMs - NEVER_MS }))
    .filter(({ last }) => nowMs - last >= againMs)
    .toSorted((one, other) => one.last - other.last)
    .slice(0, most)
    .map(({ id }) => id);

/** When those that are listed were looked at, with those that were now. */
export const afterLooks = (
  looks: Looks,
  listed: ReadonlySet<string>,
  looked: readonly string[],
  nowMs: number,
): Looks =>
  new Map([
    ...[...listed].map((id): [string, number] => [id, looks.get(id) ?? nowMs - NEVER_MS]),
    ...looked.map((id): [string, number] => [id, nowMs]),
  ]);
