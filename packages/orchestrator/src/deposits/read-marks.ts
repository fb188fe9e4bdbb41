import type { ReadMark } from "@conclave/platform";

/** The number of newest marks, which are all kept. */
const NEWEST_KEPT = 2;

/** The distance between two blocks, as the exponent of a power of two. */
const magnitudeOf = (blocks: bigint): number => blocks.toString(2).length;

/**
 * Adds the mark of a block that was read. Of older marks, two are kept for each power of two of their distance: the
 * oldest, which grows into the next power, and the newest. So some dozens of marks reach back to where reading began.
 * After a reorganisation, the last mark that the chain still has lies at most a few times as far back as the chain was
 * rewritten.
 * @param marks the newest first
 */
export const withMark = (marks: readonly ReadMark[], mark: ReadMark): readonly ReadMark[] => {
  const all = [mark, ...marks.filter(({ height }) => height < mark.height)];
  const older = all.slice(NEWEST_KEPT);
  const magnitudes = older.map(({ height }) => magnitudeOf(mark.height - height));
  const kept = older.filter(
    (_, at) => magnitudes[at] !== magnitudes[at - 1] || magnitudes[at] !== magnitudes[at + 1],
  );
  return [...all.slice(0, NEWEST_KEPT), ...kept];
};
