/**
 * A limit on the signatures that presign for themselves at the same time, which adapts to the signers' capacity. With
 * more, all would share the same processors until each passes its deadline, and none would be signed. `size` is a count
 * with its fraction.
 */
export interface PresigningWindow {
  readonly size: number;
}

const SIZE_MAX = 12;

export const FIRST_WINDOW: PresigningWindow = { size: 4 };

/** After a presigning that ended in time: a full window of these makes it wider by one. */
export const widened = ({ size }: PresigningWindow): PresigningWindow => ({
  size: Math.min(SIZE_MAX, size + 1 / size),
});

/** After a presigning that passed its deadline. */
export const narrowed = ({ size }: PresigningWindow): PresigningWindow => ({ size: Math.max(1, size / 2) });

/** Whether another presigning may begin beside those under way. */
export const isWithinWindow = ({ size }: PresigningWindow, underWay: number): boolean =>
  underWay < Math.floor(size);
