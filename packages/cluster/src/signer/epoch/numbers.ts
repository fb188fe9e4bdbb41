import { type Problem, problem } from "@conclave/custody";
import { EPOCHS_AHEAD_MAX } from "../limits.ts";

/**
 * Why a signer does not begin to make an epoch; undefined when it does. Every attempt has a number of its own, above all
 * that is held here, so that parts of two attempts never meet and the later of two certificates always wins.
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
): Problem | undefined => {
  if (pending.length >= pendingMax) return problem("EpochsPending", { pending: pending.length });
  const highest = Math.max(active, ...pending);
  const isNext = Number.isSafeInteger(to) && to > highest && to <= active + EPOCHS_AHEAD_MAX;
  if (isNext) return undefined;
  const exact = `The new epoch must be above ${highest} and at most ${active + EPOCHS_AHEAD_MAX}.`;
  return problem("EpochRefused", { highest, active }, exact);
};
