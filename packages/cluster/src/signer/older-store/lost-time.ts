import { type Problem, problem } from "@conclave/custody";
import { CLOCK_SKEW_MS_MAX } from "../limits.ts";
import { earliestMs, type RequestClaim } from "../signing/request-claim.ts";
import type { SignerState } from "../state.ts";

type Confirmed = Pick<SignerState, "spending" | "config">;

/**
 * Whether enough peers have confirmed in this life that they remember no higher count of this signer's releases than
 * its store holds: all peers, or t−1 once the others had their time to answer. If the store is an older copy, this
 * signer is one of those that may fail, so fewer than t−1 of its peers lie, and one of those that confirmed is honest.
 * That peer may have been away when this signer released something, so the signer waits for all peers while they may
 * answer.
 */
export const isStoreConfirmed = ({ spending, config }: Confirmed): boolean => {
  const { confirmedBy, hasWaited } = spending;
  return confirmedBy.size >= (hasWaited ? config.threshold : config.roster.size) - 1;
};

/**
 * The reason why nothing is signed and no certificate is followed yet; undefined when the store is confirmed. A count
 * that grew before peers compared it could reach the one that they remember, and hide the older store for good.
 */
export const whyUnconfirmed = (state: Confirmed): Problem | undefined =>
  isStoreConfirmed(state) ? undefined : problem("StoreUnconfirmed");

/**
 * The time up to which something that this signer signed for a request may be lost. While too few peers have confirmed
 * the store, that is the start of this life, or its last resumption.
 *
 * @returns Unix milliseconds; 0 where nothing is lost
 */
export const lostToMs = (state: Confirmed & Pick<SignerState, "forgotten" | "startedAtMs">): number => {
  const { forgotten, spending, startedAtMs } = state;
  const knownMs = Math.max(forgotten.requestedToMs, forgotten.olderMs);
  if (isStoreConfirmed(state)) return knownMs;
  const sinceMs = spending.sinceMs ?? startedAtMs;
  return sinceMs === undefined ? Number.MAX_SAFE_INTEGER : Math.max(knownMs, sinceMs + CLOCK_SKEW_MS_MAX);
};

const UNKNOWN_PAST =
  "This signer's store was an older copy, or its mark of what is forgotten was mended, so it cannot know what it signed for a request of before. Abort the request, look at the chain, and ask again.";

/**
 * The reason not to sign a transaction for a request that may have been bound to another one in the time that the store
 * has lost (INV-4), as may the requests that it replaces; undefined otherwise.
 */
export const whyLost = (
  { forgotten }: Pick<SignerState, "forgotten">,
  claim: Pick<RequestClaim, "transaction" | "requestedAtMs" | "replaces">,
): Problem | undefined =>
  claim.transaction === undefined || earliestMs(claim) > forgotten.requestedToMs
    ? undefined
    : problem("AuthorisationNotCurrent", {}, UNKNOWN_PAST);
