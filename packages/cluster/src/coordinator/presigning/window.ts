/**
 * How many signatures may presign for themselves at once: as many as signers keep up with. More of them share the same
 * processors until each passes its deadline, and nothing at all is signed. The size is a count with its fraction.
 */
export interface PresigningWindow {
  readonly size: number;
}

const SIZE_MAX = 12;

export const FIRST_WINDOW: PresigningWindow = { size: 4 };

/** One ended in time: as many as the window holds make it wider by one. */
export const widened = ({ size }: PresigningWindow): PresigningWindow => ({
  size: Math.min(SIZE_MAX, size + 1 / size),
});

/** One passed its deadline. */
export const narrowed = ({ size }: PresigningWindow): PresigningWindow => ({ size: Math.max(1, size / 2) });

/** Whether one more may begin beside those under way. */
export const isWithinWindow = ({ size }: PresigningWindow, underWay: number): boolean =>
  underWay < Math.floor(size);
