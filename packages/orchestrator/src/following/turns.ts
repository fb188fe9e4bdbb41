/** So many open requests, and as many settled ones, of which no block tells are looked at in a round, however many there are. */
export const LOOKS_A_ROUND = 16;

/** When each of those that are looked at one by one was looked at last, in milliseconds of any clock. */
export type Looks = ReadonlyMap<string, number>;

/**
 * Whose turn it is: those that were looked at longest ago, or never, first.
 * @param againMs none is looked at sooner than so long after the time before
 */
export const whoseTurn = <Id extends string>(
  ids: readonly Id[],
  looks: Looks,
  nowMs: number,
  againMs: number,
): readonly Id[] =>
  ids
    .map((id) => ({ id, last: looks.get(id) ?? Number.NEGATIVE_INFINITY }))
    .filter(({ last }) => nowMs - last >= againMs)
    .toSorted((one, other) => one.last - other.last)
    .slice(0, LOOKS_A_ROUND)
    .map(({ id }) => id);

/** The looks of those that are still looked at, and those of now. */
export const afterLooks = (
  looks: Looks,
  listed: ReadonlySet<string>,
  looked: readonly string[],
  nowMs: number,
): Looks =>
  new Map([
    ...[...looks].filter(([id]) => listed.has(id)),
    ...looked.map((id): [string, number] => [id, nowMs]),
  ]);
