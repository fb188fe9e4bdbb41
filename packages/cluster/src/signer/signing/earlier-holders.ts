import { type Problem, problem } from "@conclave/custody";
import { bytesToHex } from "@noble/hashes/utils.js";
import { requestName } from "../../control/epoch-handover.ts";
import { REQUEST_AGE_MS_MAX } from "../limits.ts";
import { recallPast } from "../records/history.ts";
import { type HandedOver, type KeyRecord, RECORDS } from "../records/record.ts";
import type { SignerState } from "../state.ts";
import type { RequestClaim } from "./request-claim.ts";
import { holdersOfKey } from "./signing-material.ts";

/**
 * Why a transaction may not be signed with keys that had other holders (INV-4); undefined when it may. Those may have signed for the request,
 * and a quorum of today need not have one of them in it. So the request is refused unless they said that they did not, or this signer has signed
 * the very same transaction before.
 */
export const whyUnknown = (
  { history }: Pick<SignerState, "history">,
  claim: RequestClaim,
  signables: readonly { readonly key: KeyRecord }[],
): Problem | undefined => {
  const { requestId, transaction } = claim;
  if (transaction === undefined) return undefined;
  const isUnknown = signables.some(({ key }) => unknownIn(key).some((past) => mayBeSigned(past, claim)));
  if (!isUnknown) return undefined;
  const bound = recallPast(history, RECORDS.request, requestId)?.transactions ?? [];
  const isSame = bound.some(({ digests }) => digests.includes(transaction.digest));
  return isSame ? undefined : problem("RequestPrecedesHolders", { requestId });
};

/** What holders of before signed that this signer, and others of its quorum, may not know. */
const unknownIn = (key: KeyRecord): readonly HandedOver[] => {
  const { joined, knownSinceMs, earlier } = key;
  const came = joined ?? (knownSinceMs === undefined ? undefined : { sinceMs: knownSinceMs, requests: [] });
  const isFewer = earlier !== undefined && holdersOfKey(key).threshold < earlier.least;
  return [...(came === undefined ? [] : [came]), ...(isFewer ? [earlier] : [])];
};

/** A request that is replaced may be as old as any that is still signed. */
const mayBeSigned = (
  { sinceMs, requests }: HandedOver,
  { requestId, replaces, requestedAtMs }: RequestClaim,
): boolean =>
  requestedAtMs - (replaces.length > 0 ? REQUEST_AGE_MS_MAX : 0) < sinceMs ||
  [requestId, ...replaces].some((id) => requests.includes(bytesToHex(requestName(id))));
