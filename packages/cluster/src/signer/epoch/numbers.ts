import { type Problem, problem } from "@conclave/custody";
import { EPOCHS_AHEAD_MAX } from "../limits.ts";

/**
 * The reason not to begin an epoch of a key; undefined when it may begin.
 *
 * @param active the epoch that is active here; 0 when there is none
 * @param pending the pending epochs
 * @param pendingMax limit on these
 */
export const whyNotMake = (
  to: number,
  active: number,
  pending: readonly number[],
  pendingMax: number,
): Problem | undefined =>
  pending.length >= pendingMax
    ? problem("EpochsPending", { pending: pending.length })
    : whyNotNumber(to, active, pending);

/**
 * The reason to refuse an epoch number; undefined when it is allowed. Every attempt has a number above all epochs that
 * are held here, so that parts of two attempts never meet and the later of two certificates always wins.
 *
 * @param active the epoch that is active here; 0 when there is none
 * @param pending the pending epochs
 */
export const whyNotNumber = (to: number, active: number, pending: readonly number[]): Problem | undefined => {
  const highest = Math.max(active, ...pending);
  const isNext = Number.isSafeInteger(to) && to > highest && to <= active + EPOCHS_AHEAD_MAX;
  if (isNext) return undefined;
  const exact = `The new epoch must be above ${highest} and at most ${active + EPOCHS_AHEAD_MAX}.`;
  return problem("EpochRefused", { highest, active }, exact);
};
