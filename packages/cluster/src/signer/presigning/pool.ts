import type { PartyIndex, Secret } from "@conclave/threshold";
import { CLOCK_SKEW_MS_MAX, SETS_COUNTED_MAX } from "../limits.ts";
import { emptyMap, entriesOf, lookUp, type PersistentMap, put, remove } from "../records/persistent-map.ts";

/** Each fate of a presignature is counted since the start. */
export type PresignatureFate = "stored" | "consumed" | "burnt" | "expired";

/** One key and the signers that made presignatures for it together. */
export interface PresignatureSet {
  readonly keyId: string;
  readonly signers: readonly PartyIndex[];
}

/** One that waits for its digest. It is in memory alone: a start knows none, and no copy of a disk has one (INV-2). */
export interface WaitingPresignature extends PresignatureSet {
  /** of the key */
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
 * The presignatures of a signer. Ready ones wait in memory; of spent ones the store has tombstones, so that no second digest meets
 * them. The signer refuses every id that has neither, so that no presignature returns.
 */
export interface Pool {
  readonly ready: PersistentMap<WaitingPresignature>;
  readonly counts: ReadonlyMap<string, SetCounts>;
  readonly fates: Readonly<Record<PresignatureFate, number>>;
  /** sessions that asked for a presignature which they did not get */
  readonly refused: number;
  /** of these, those that asked for a second digest: somebody tries to get the key (P6) */
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

/** The name of a set: key ids hold no slash. */
export const setName = ({ keyId, signers }: PresignatureSet): string => `${keyId}/${signers.join(",")}`;

const counted = (pool: Pool, { keyId, signers }: PresignatureSet, fate: PresignatureFate): Pool => {
  const name = setName({ keyId, signers });
  const before = pool.counts.get(name)?.fates ?? NOTHING;
  const counts = new Map(pool.counts);
  counts.delete(name); // goes to the end: the first is the longest unchanged
  counts.set(name, { keyId, signers, fates: { ...before, [fate]: before[fate] + 1 } });
  for (const oldest of counts.keys()) {
    if (counts.size <= SETS_COUNTED_MAX) break;
    counts.delete(oldest);
  }
  return { ...pool, counts, fates: { ...pool.fates, [fate]: pool.fates[fate] + 1 } };
};

export const withReady = (pool: Pool, id: string, record: WaitingPresignature): Pool =>
  counted({ ...pool, ready: put(pool.ready, id, record) }, record, "stored");

/** The presignature is gone for good, spent on what its tombstone says. */
export const withSpent = (pool: Pool, id: string): Pool => without(pool, [id], "consumed");

/** A start found so many in the store, where an older version had left them: none of them is used. */
export const foundStored = (pool: Pool, count: number): Pool => ({
  ...pool,
  fates: { ...pool.fates, burnt: pool.fates.burnt + count },
});

/** Removes ready presignatures; ids that are not ready are passed over. */
export const without = (pool: Pool, ids: readonly string[], fate: PresignatureFate): Pool => {
  let next = pool;
  for (const id of ids) {
    const record = lookUp(next.ready, id);
    if (record !== undefined) next = counted({ ...next, ready: remove(next.ready, id) }, record, fate);
  }
  return next;
};

/** The ids of ready presignatures for which something holds, at most `max` of them. */
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

/** Too old to be used, or made in a future that the clock has left: then its age is unknown. */
export const isOverAge = ({ createdAtMs, expiresAtMs }: WaitingPresignature, nowMs: number): boolean =>
  expiresAtMs <= nowMs || createdAtMs > nowMs + CLOCK_SKEW_MS_MAX;
