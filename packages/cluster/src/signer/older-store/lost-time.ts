import { type Problem, problem } from "@conclave/custody";
import type { KeyHolders } from "@conclave/threshold";
import { isOther } from "../../control/epoch-handover.ts";
import { keyHolders } from "../../control/roster-member.ts";
import { CLOCK_SKEW_MS_MAX } from "../limits.ts";
import type { RequestClaim } from "../signing/request-claim.ts";
import type { SignerState } from "../state.ts";

/**
 * Whether t−1 peers have confirmed in this life that they remember no more of what this signer released than its store does. If the store is an
 * older copy, this signer is one of those that may fail, and so is fewer than t−1 of its peers: one of those that confirmed is honest.
 */
export const isStoreConfirmed = ({ spending, config }: Pick<SignerState, "spending" | "config">): boolean =>
  spending.confirmedBy.size >= config.threshold - 1;

type OfStore = Pick<SignerState, "spending" | "config" | "forgotten" | "startedAtMs">;

/**
 * Until when everything that this signer promised may be lost: requests that are dated up to then may be bound to a transaction, and keys may be handed
 * over. As long as too few peers have confirmed the store, that is the start of this life, or its last resumption.
 *
 * @returns Unix milliseconds; 0 where nothing is lost
 */
export const lostToMs = (state: OfStore): number => {
  const { forgotten, spending, startedAtMs } = state;
  if (isStoreConfirmed(state)) return forgotten.requestedToMs;
  const sinceMs = spending.sinceMs ?? startedAtMs;
  return sinceMs === undefined
    ? Number.MAX_SAFE_INTEGER
    : Math.max(forgotten.requestedToMs, sinceMs + CLOCK_SKEW_MS_MAX);
};

const UNKNOWN_PAST =
  "This signer's store was an older copy, or its mark of what is forgotten was mended, so it cannot know what it signed for a request of before. Abort the request, look at the chain, and ask again.";

/** Why a transaction is not signed for a request that may be bound to another one, in a time that the store has lost (INV-4); undefined when it may be. */
export const whyLost = (
  state: OfStore,
  { transaction, requestedAtMs }: Pick<RequestClaim, "transaction" | "requestedAtMs">,
): Problem | undefined => {
  if (transaction === undefined || requestedAtMs > lostToMs(state)) return undefined;
  return requestedAtMs <= state.forgotten.requestedToMs
    ? problem("AuthorisationNotCurrent", {}, UNKNOWN_PAST)
    : problem("StoreUnconfirmed");
};

/**
 * Whether this signer may have promised, in a time that its store has lost, to sign nothing more with a key (INV-4). It promises that only to other
 * holders or another t than the key has: those of the roster, or those of before its last change where that is of later.
 */
export const mayHaveHandedOver = (state: OfStore, key: KeyHolders): boolean => {
  const lostMs = lostToMs(state);
  if (lostMs === 0) return false;
  const { roster, threshold, lastChange } = state.config;
  if (!isOther(key, { parties: keyHolders(roster), threshold })) return false;
  return lastChange === undefined || lastChange.dateMs <= lostMs || isOther(key, lastChange.before);
};
