import { type Problem, problem } from "@conclave/custody";
import { transactionsNamed } from "../../control/epoch-handover.ts";
import { unknownUntil } from "../key-change/past-of-key.ts";
import { storedKey } from "../records/key-records.ts";
import type { KeyRecord } from "../records/record.ts";
import type { SignerState } from "../state.ts";
import { type ClaimedTransaction, earliestMs, type RequestClaim } from "./request-claim.ts";
import type { SignableWithKey } from "./signing-call.ts";
import { holdersOfKey } from "./signing-material.ts";

/**
 * The reason not to sign a transaction with keys that had other holders (INV-4); undefined when it may be signed. The
 * earlier holders may have signed another transaction for the request, and a quorum of today need not contain any of
 * them. So enough of them to meet every quorum of theirs must have cleared the request.
 *
 * @param signables those of the session, with their keys; the request may name other keys too
 */
export const whyUnknown = (
  state: SignerState,
  claim: RequestClaim,
  signables: readonly SignableWithKey[],
): Problem | undefined => {
  const { requestId, transaction, keyIds } = claim;
  if (transaction === undefined) return undefined;
  const isCleared = keyIds.every((keyId) => {
    const key = signables.find((each) => each.keyId === keyId)?.key ?? storedKey(state, keyId);
    return key === undefined || isClearedOf(key, claim, transaction);
  });
  return isCleared ? undefined : problem("RequestPrecedesHolders", { requestId });
};

const isClearedOf = (key: KeyRecord, claim: RequestClaim, transaction: ClaimedTransaction): boolean => {
  const { joined, knownSinceMs, earlier, longBefore } = key;
  const came = joined ?? (knownSinceMs === undefined ? undefined : unknownUntil(knownSinceMs));
  // true for most keys, which never had other holders; returns before the share is decoded
  if (came === undefined && earlier === undefined && longBefore === undefined) return true;
  const { threshold } = holdersOfKey(key);
  const counting = [came, earlier !== undefined && threshold < earlier.least ? earlier : undefined];
  const isOld =
    longBefore !== undefined && threshold < longBefore.least && earliestMs(claim) < longBefore.sinceMs;
  return !isOld && counting.every((past) => past === undefined || isClearedBy(past, claim, transaction));
};

const isClearedBy = (
  { needed, heard, isLost }: NonNullable<KeyRecord["joined"]>,
  claim: RequestClaim,
  { digest }: ClaimedTransaction,
): boolean => {
  const askedMs = isLost ? claim.requestedAtMs : earliestMs(claim);
  const ids = [claim.requestId, ...claim.replaces];
  const clearing = heard.filter(
    ({ sinceMs, requests }) =>
      askedMs >= sinceMs &&
      ids.every((id) => transactionsNamed(requests, id).every((each) => each === digest)),
  );
  return clearing.length >= needed;
};
