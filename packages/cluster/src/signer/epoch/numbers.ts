import { type Problem, problem } from "@conclave/custody";
import { EPOCHS_AHEAD_MAX } from "../limits.ts";

/**
 * Why a signer does not begin to make an epoch of a key; undefined when it does.
 *
 * @param active the epoch that is active here; 0 when there is none
 * @param pending the epochs that wait here
 * @param pendingMax how many may
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
 * Why a signer makes no epoch of this number; undefined when it may. Every attempt has a number of its own, above all that
 * is held here, so that parts of two attempts never meet and the later of two certificates always wins.
 *
 * @param active the epoch that is active here; 0 when there is none
 * @param pending the epochs that wait here
 */
export const whyNotNumber = (to: number, active: number, pending: readonly number[]): Problem | undefined => {
  const highest = Math.max(active, ...pending);
  const isNext = Number.isSafeInteger(to) && to > highest && to <= active + EPOCHS_AHEAD_MAX;
  if (isNext) return undefined;
  const exact = `The new epoch must be above ${highest} and at most ${active + EPOCHS_AHEAD_MAX}.`;
  return problem("EpochRefused", { highest, active }, exact);
};
