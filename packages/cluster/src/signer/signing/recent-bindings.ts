import { bytesToHex, hexToBytes } from "@noble/hashes/utils.js";
import { boundRequestName, HANDOVER_REQUESTS_MAX, type KnownRequests } from "../../control/epoch-handover.ts";
import { CLOCK_SKEW_MS_MAX, RECENT_BINDINGS_MAX } from "../limits.ts";
import { LATEST_BOUND_ID, RECORDS, type StoredRecord } from "../records/record.ts";
import type { RequestClaim } from "./request-claim.ts";

/** A request that was bound to a transaction, with one of the keys that sign it. */
interface RecentBinding {
  readonly keyId: string;
  /** `boundRequestName`, in hex */
  readonly name: string;
  /** when it was asked for, Unix milliseconds */
  readonly requestedAtMs: number;
}

/** The latest bindings of this life, oldest first, in memory alone. */
export interface RecentBindings {
  /**
   * Unix milliseconds: the list has all requests of this date or later; undefined until a start without a record of
   * earlier lives knows the time
   */
  readonly completeFromMs: number | undefined;
  /** Unix milliseconds: the latest date of any request that was ever bound here, as stored; 0 for none */
  readonly latestMs: number;
  readonly bound: readonly RecentBinding[];
}

/** At a start with keys but without a record of earlier lives, as an older version wrote none. */
export const BINDINGS_UNKNOWN: RecentBindings = { completeFromMs: undefined, latestMs: 0, bound: [] };

/** At a start: earlier lives bound no request of a later date; 0 where they bound none. */
export const afterLatest = (latestMs: number): RecentBindings => ({
  completeFromMs: latestMs + 1,
  latestMs,
  bound: [],
});

/** Completes unknown bindings once this life knows the time: no earlier life bound a request dated after its start. */
const sinceStart = (recent: RecentBindings, startedAtMs: number) => {
  const { completeFromMs, latestMs } = recent;
  if (completeFromMs !== undefined) return { ...recent, completeFromMs };
  const soonMs = startedAtMs + CLOCK_SKEW_MS_MAX;
  return { ...recent, completeFromMs: soonMs, latestMs: Math.max(latestMs, soonMs) };
};

export const latestBoundRecord = (requestedAtMs: number): StoredRecord => ({
  record: RECORDS.latestBound.name(LATEST_BOUND_ID),
  value: RECORDS.latestBound.write({ version: 1, requestedAtMs }),
});

/**
 * Adds a request that is bound now, and those that it replaces. Beyond RECENT_BINDINGS_MAX the oldest are dropped.
 *
 * @param startedAtMs the start of this life, Unix milliseconds
 * @returns the bindings, and the write for the batch that binds the request
 */
export const withBinding = (
  recent: RecentBindings,
  { transaction, requestId, replaces, keyIds, requestedAtMs }: RequestClaim,
  startedAtMs: number,
): { readonly recent: RecentBindings; readonly writes: readonly StoredRecord[] } => {
  if (transaction === undefined) return { recent, writes: [] };
  const added = [requestId, ...replaces].flatMap((id) => {
    const name = bytesToHex(boundRequestName(id, transaction.digest));
    return [...new Set(keyIds)].map((keyId) => ({ keyId, name, requestedAtMs }));
  });
  const { bound, leftOutToMs } = newestOf([...recent.bound, ...added], RECENT_BINDINGS_MAX);
  const known = sinceStart(recent, startedAtMs);
  const completeFromMs = Math.max(known.completeFromMs, leftOutToMs);
  const latestMs = Math.max(known.latestMs, requestedAtMs);
  const writes = latestMs > recent.latestMs ? [latestBoundRecord(latestMs)] : [];
  return { recent: { completeFromMs, latestMs, bound }, writes };
};

/** The last bindings; the dropped ones are dated before `leftOutToMs`. */
const newestOf = (bound: readonly RecentBinding[], max: number) => {
  const left = bound.slice(0, Math.max(0, bound.length - max));
  const leftOutToMs = left.reduce((latest, each) => Math.max(latest, each.requestedAtMs + 1), 0);
  return { bound: left.length === 0 ? bound : bound.slice(left.length), leftOutToMs };
};

/**
 * The requests for which this signer signed with a key, for its handover.
 *
 * @param startedAtMs the start of this life, Unix milliseconds
 * @param heldSinceMs since when the key has its holders; this signer need not know what others signed before
 */
export const bindingsOf = (
  recent: RecentBindings,
  keyId: string,
  startedAtMs: number,
  heldSinceMs: number,
): KnownRequests => {
  const named = new Map(
    recent.bound.filter((each) => each.keyId === keyId).map((each) => [each.name, each] as const),
  );
  const { bound, leftOutToMs } = newestOf([...named.values()], HANDOVER_REQUESTS_MAX);
  const { completeFromMs, latestMs } = sinceStart(recent, startedAtMs);
  return {
    sinceMs: Math.max(completeFromMs, heldSinceMs, leftOutToMs),
    latestMs,
    requests: bound.map(({ name }) => hexToBytes(name)),
  };
};
