import { fail, ok, type Result } from "../errors.ts";
import type { ChainRequestId } from "./chain-request.ts";

/**
 * The greatest number of replacements of a request; one cancellation may follow. On EVM each speed-up raises
 * the fee by at least an eighth: after sixty-four of them it is nearly two thousand times as high, and a
 * transaction that still waits does not wait for a higher fee. The limit also bounds work: a new replacement
 * reads all earlier requests of its chain while it holds rights.
 */
export const REPLACEMENTS_MAX = 64;

/** Which request may take the place of another one. */
export type ReplacementRoom =
  /** the network has no replacements */
  | "never"
  | "any"
  | "cancellation"
  /** the place was taken as often as the limit allows */
  | "none";

/** @param replacements how often another request took the place */
export const replacementRoomAfter = (replacements: number): ReplacementRoom => {
  if (replacements < REPLACEMENTS_MAX) return "any";
  return replacements === REPLACEMENTS_MAX ? "cancellation" : "none";
};

/**
 * Judges whether one more request may take a place.
 * @param holder the request that holds the place now
 * @returns TooManyReplacements, whose `details.instead` names an act that still works
 */
export const judgeReplacementRoom = (
  room: ReplacementRoom,
  isCancellation: boolean,
  holder: ChainRequestId,
): Result<void> => {
  const isFull = room === "none" || (room === "cancellation" && !isCancellation);
  if (!isFull) return ok(undefined);
  const facts = { requestId: holder, most: REPLACEMENTS_MAX };
  return room === "none"
    ? fail(
        "TooManyReplacements",
        facts,
        `${holder} took a place that nothing takes any more: wait until a transaction lands in it.`,
      )
    : fail(
        "TooManyReplacements",
        { ...facts, instead: "cancel" },
        `${holder} holds a place that was taken ${REPLACEMENTS_MAX} times: cancel it, which works once more, or wait.`,
      );
};
