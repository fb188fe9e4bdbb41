import { fail, ok, type Result } from "../errors.ts";
import type { ChainRequest } from "./chain-request.ts";
import { judgeReplacementRoom, type ReplacementRoom } from "./replacement-room.ts";

/** The acts by which an owner ends a request, or changes its fee. */
export const OWNERS_ACTS = ["abort", "speed-up", "cancel"] as const;
export type OwnersAct = (typeof OWNERS_ACTS)[number];

/** The stages of a request: each decides which acts work. */
export const REQUEST_STAGES = [
  "awaits approval",
  "not signed",
  "signed",
  "replacement not signed",
  "sped up",
  "being cancelled",
  "replaced by its caller",
  "settled",
] as const;
export type RequestStage = (typeof REQUEST_STAGES)[number];

/** A request and the requests that took its place one after another, the newest last. */
export type ReplacementChain = readonly [ChainRequest, ...ChainRequest[]];

/** The last request of a replacement chain: it holds the place now. */
export const holderOf = (replacementChain: ReplacementChain): ChainRequest =>
  replacementChain.at(-1) ?? replacementChain[0];

const isOpen = ({ status }: ChainRequest): boolean =>
  status === "Pending" || status === "Executing" || status === "Broadcasted";

/** The stage of a request. @param replacementChain begins with the request */
export const requestStageOf = (replacementChain: ReplacementChain): RequestStage => {
  const [request, ...replacements] = replacementChain;
  const holder = holderOf(replacementChain);
  if (!isOpen(request) || !isOpen(holder)) return "settled";
  if (request.signedTransaction === undefined) {
    return request.authorisation === undefined ? "awaits approval" : "not signed";
  }
  if (replacements.length === 0) return "signed";
  const kinds = replacements.map(({ requestBody }) => requestBody.kind);
  if (kinds.some((kind) => kind !== "SpeedUpTransaction" && kind !== "CancelTransaction")) {
    return "replaced by its caller";
  }
  if (holder.signedTransaction === undefined) return "replacement not signed";
  return kinds.includes("CancelTransaction") ? "being cancelled" : "sped up";
};

/** Whether an act works, or which other act does instead. */
type Cell =
  | "works"
  | "abort"
  | "cancel"
  | "cancel again"
  | "abort the replacement"
  | "act on the replacement"
  | "over";

/**
 * Which act works in which stage; docs/api.md shows this table. An act on a replaced request applies to the
 * holder of its place.
 */
export const ACTS_BY_STAGE: Readonly<Record<RequestStage, Readonly<Record<OwnersAct, Cell>>>> = {
  "awaits approval": { abort: "works", "speed-up": "abort", cancel: "abort" },
  "not signed": { abort: "works", "speed-up": "abort", cancel: "abort" },
  signed: { abort: "cancel", "speed-up": "works", cancel: "works" },
  "replacement not signed": {
    abort: "abort the replacement",
    "speed-up": "abort the replacement",
    cancel: "abort the replacement",
  },
  "sped up": { abort: "cancel", "speed-up": "works", cancel: "works" },
  "being cancelled": { abort: "cancel again", "speed-up": "cancel again", cancel: "works" },
  "replaced by its caller": {
    abort: "act on the replacement",
    "speed-up": "act on the replacement",
    cancel: "act on the replacement",
  },
  settled: { abort: "over", "speed-up": "over", cancel: "over" },
};

/**
 * Judges an act on a request.
 * @param replacementChain the request, then the requests that took its place
 * @param room for one more replacement; "never" on chains without replacements, where a signed transaction
 * lands or expires
 * @returns the request that the act applies to; RequestStateInvalid, RequestReplaced or TooManyReplacements,
 * whose message names an act that works
 */
export const judgeOwnersAct = (
  replacementChain: ReplacementChain,
  act: OwnersAct,
  room: ReplacementRoom,
): Result<ChainRequest> => {
  const [request] = replacementChain;
  const holder = holderOf(replacementChain);
  const cell = ACTS_BY_STAGE[requestStageOf(replacementChain)][act];
  const state = (message: string, instead?: string): Result<never> =>
    fail(
      "RequestStateInvalid",
      { requestId: request.id, status: request.status, ...(instead === undefined ? {} : { instead }) },
      message,
    );
  const replaced = (message: string): Result<never> =>
    fail("RequestReplaced", { requestId: request.id, replacementId: holder.id }, message);
  const cancelled = (message: string): Result<never> => {
    const judged = judgeReplacementRoom(room, true, holder.id);
    return judged.ok ? state(message, "cancel") : judged;
  };
  switch (cell) {
    case "works": {
      if (act === "abort") return ok(holder);
      const judged = judgeReplacementRoom(room, act === "cancel", holder.id);
      return judged.ok ? ok(holder) : judged;
    }
    case "abort":
      return state("Nothing of the request is signed yet: abort it.", "abort");
    case "cancel":
      return room === "never"
        ? state(
            "The transaction is signed, and nothing replaces it on this network: it lands, or fails once its time is over.",
          )
        : cancelled("The transaction is signed and may land: cancel it.");
    case "cancel again":
      return cancelled(`${holder.id} cancels it: cancel it again to raise the fee of that.`);
    case "abort the replacement":
      return replaced(`${holder.id} is to take its place and is not signed yet: abort that one.`);
    case "act on the replacement":
      return replaced(`${holder.id}, another transaction, has taken its place: act on that one.`);
    case "over":
      return isOpen(request)
        ? state(`${holder.id}, which took its place, is ${holder.status}: nothing is left to act on.`)
        : state(`The request is ${request.status}: nothing is left to act on.`);
  }
};
