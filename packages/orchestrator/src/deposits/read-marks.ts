import type { ReadMark } from "@conclave/platform";

/** The newest marks, which are all kept. */
const NEWEST_KEPT = 2;

/** How far a block lies below another, in powers of two. */
const magnitudeOf = (blocks: bigint): number => blocks.toString(2).length;

/**
 * Marks a block that was read. Of older marks two are kept for each power of two of their distance, the oldest one, which grows into the
 * next, and the newest one: some dozens reach back to where reading began, and the last one that a rewritten chain still holds lies at most some
 * times as far back as it was rewritten.
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
