import { fail, ok, type Result } from "../errors.ts";
import type { ChainRequestId } from "./chain-request.ts";

/**
 * The greatest number of replacements of a request; one cancellation may follow. On EVM a speed-up costs an
 * eighth more at the least: after sixty-four of them the fee is nearly two thousand times as high, and a
 * transaction that still waits does not wait for that. A request that takes a place has all that held it before
 * read, while rights are held.
 */
export const REPLACEMENTS_MAX = 64;

/** Which request may take the place of another one. */
export type ReplacementRoom =
  /** its chain replaces nothing */
  | "never"
  | "any"
  | "cancellation"
  /** it was taken as often as it may be */
  | "none";

/** @param replacements how often the place of the request was taken, up to its present holder */
export const replacementRoomAfter = (replacements: number): ReplacementRoom => {
  if (replacements < REPLACEMENTS_MAX) return "any";
  return replacements === REPLACEMENTS_MAX ? "cancellation" : "none";
};

/**
 * Judges whether one more request may take a place.
 * @param holder the request that holds the place now
 * @returns TooManyReplacements, whose `details.instead` names the act that works still
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
