import type { PartyIndex, Secret } from "@conclave/threshold";
import { CLOCK_SKEW_MS_MAX, SETS_COUNTED_MAX } from "../limits.ts";
import { emptyMap, entriesOf, lookUp, type PersistentMap, put, remove } from "../records/persistent-map.ts";

/** The fates of presignatures, each counted since the start. */
export type PresignatureFate = "stored" | "consumed" | "burnt" | "expired";

/** One key and the signers that made presignatures for it together. */
export interface PresignatureSet {
  readonly keyId: string;
  readonly signers: readonly PartyIndex[];
}

/**
 * A presignature that waits for its digest. It is in memory alone: neither a restart nor a copy of the disk can restore
 * it (INV-2).
 */
export interface WaitingPresignature extends PresignatureSet {
  /** epoch of the key */
  readonly epoch: number;
  readonly auxiliaryEpoch: number;
  /** Unix milliseconds */
  readonly createdAtMs: number;
  readonly expiresAtMs: number;
  /** presignatureCodec */
  readonly secret: Secret<Uint8Array>;
}

interface SetCounts extends PresignatureSet {
  readonly fates: Readonly<Record<PresignatureFate, number>>;
}

/**
 * The presignatures of a signer. Ready ones wait in memory; for spent ones the store has tombstones, so that none signs
 * a second digest. The signer refuses every id that has neither, so no presignature returns.
 */
export interface Pool {
  readonly ready: PersistentMap<WaitingPresignature>;
  readonly counts: ReadonlyMap<string, SetCounts>;
  readonly fates: Readonly<Record<PresignatureFate, number>>;
  /** sessions that were refused a presignature */
  readonly refused: number;
  /** of these, those that asked for a second digest: an attempt to get the key (P6) */
  readonly reused: number;
}

const NOTHING = { stored: 0, consumed: 0, burnt: 0, expired: 0 } as const;

export const emptyPool = (): Pool => ({
  ready: emptyMap(),
  counts: new Map(),
  fates: NOTHING,
  refused: 0,
  reused: 0,
});

/** The name of a set, unambiguous as key ids hold no slash. */
export const setName = ({ keyId, signers }: PresignatureSet): string => `${keyId}/${signers.join(",")}`;

const counted = (pool: Pool, { keyId, signers }: PresignatureSet, fate: PresignatureFate): Pool => {
  const name = setName({ keyId, signers });
  const before = pool.counts.get(name)?.fates ?? NOTHING;
  const counts = new Map(pool.counts);
  counts.delete(name); // re-inserted at the end, so that the first is the one unchanged for longest
  counts.set(name, { keyId, signers, fates: { ...before, [fate]: before[fate] + 1 } });
  for (const oldest of counts.keys()) {
    if (counts.size <= SETS_COUNTED_MAX) break;
    counts.delete(oldest);
  }
  return { ...pool, counts, fates: { ...pool.fates, [fate]: pool.fates[fate] + 1 } };
};

export const withReady = (pool: Pool, id: string, record: WaitingPresignature): Pool =>
  counted({ ...pool, ready: put(pool.ready, id, record) }, record, "stored");

/** Removes a presignature that was spent on the digest that its tombstone names. */
export const withSpent = (pool: Pool, id: string): Pool => without(pool, [id], "consumed");

/** Counts presignatures of an older version that a start found in the store: none of them is used. */
export const foundStored = (pool: Pool, count: number): Pool => ({
  ...pool,
  fates: { ...pool.fates, burnt: pool.fates.burnt + count },
});

/** Removes ready presignatures; ids that are not ready are ignored. */
export const without = (pool: Pool, ids: readonly string[], fate: PresignatureFate): Pool => {
  let next = pool;
  for (const id of ids) {
    const record = lookUp(next.ready, id);
    if (record !== undefined) next = counted({ ...next, ready: remove(next.ready, id) }, record, fate);
  }
  return next;
};

/** The ids of ready presignatures that match, at most `max`. */
export const readyWhere = (
  { ready }: Pool,
  holds: (record: WaitingPresignature, id: string) => boolean,
  max = Number.POSITIVE_INFINITY,
): readonly string[] => {
  const ids: string[] = [];
  for (const [id, record] of entriesOf(ready)) {
    if (ids.length >= max) break;
    if (holds(record, id)) ids.push(id);
  }
  return ids;
};

export const isSameSet = (a: PresignatureSet, b: PresignatureSet): boolean => setName(a) === setName(b);

/**
 * Whether a presignature is too old to be used, or dated in the future because the clock went back, so that its age is
 * unknown.
 */
export const isOverAge = ({ createdAtMs, expiresAtMs }: WaitingPresignature, nowMs: number): boolean =>
  expiresAtMs <= nowMs || createdAtMs > nowMs + CLOCK_SKEW_MS_MAX;
