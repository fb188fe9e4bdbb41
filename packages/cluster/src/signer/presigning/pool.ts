import type { PartyIndex } from "@conclave/threshold";
import { CLOCK_SKEW_MS_MAX, SETS_COUNTED_MAX } from "../limits.ts";
import { emptyMap, entriesOf, lookUp, type PersistentMap, put, remove } from "../records/persistent-map.ts";
import type { ReadyRecord } from "../records/record.ts";

/** What may become of a presignature; each is counted since the start. */
export type PresignatureFate = "stored" | "consumed" | "burnt" | "expired";

/** One key and the signers that made presignatures for it together. */
export interface PresignatureSet {
  readonly keyId: string;
  readonly signers: readonly PartyIndex[];
}

interface SetCounts extends PresignatureSet {
  readonly fates: Readonly<Record<PresignatureFate, number>>;
}

/**
 * The presignatures of a signer. Ready ones wait; of spent ones the store has tombstones, so that no second digest meets them.
 * The signer refuses every id that has neither, so that no presignature returns.
 */
export interface Pool {
  readonly ready: PersistentMap<ReadyRecord>;
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

export const withReady = (pool: Pool, id: string, record: ReadyRecord): Pool =>
  counted({ ...pool, ready: put(pool.ready, id, record) }, record, "stored");

/** The presignature is gone for good, spent on what its tombstone says. */
export const withSpent = (pool: Pool, id: string): Pool => without(pool, [id], "consumed");

/** A start found it reserved: spent, though nothing was signed with it. */
export const buried = (pool: Pool): Pool => ({
  ...pool,
  fates: { ...pool.fates, burnt: pool.fates.burnt + 1 },
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
  holds: (record: ReadyRecord, id: string) => boolean,
  max = Number.POSITIVE_INFINITY,
): readonly string[] => {
  const ids: string[] = [];
  for (const [id, record] of entriesOf(ready)) {
    if (ids.length >= max) break;
    if (holds(record, id)) ids.push(id);
  }
  return ids;
};

/** What is burnt together: the presignatures of a key in one epoch, of its shares and of the auxiliary info. */
export const groupOf = ({
  keyId,
  epoch,
  auxiliaryEpoch,
}: Pick<ReadyRecord, "keyId" | "epoch" | "auxiliaryEpoch">): string => `${keyId}/${epoch}/${auxiliaryEpoch}`;

/** What the names of all groups of one epoch of the auxiliary info end with, of whichever key. */
export const endOfGroups = (auxiliaryEpoch: number): string => `/${auxiliaryEpoch}`;

export const isSameSet = (a: PresignatureSet, b: PresignatureSet): boolean => setName(a) === setName(b);

/** Too old to be used, or made in a future that the clock has left: then its age is unknown. */
export const isOverAge = ({ createdAtMs, expiresAtMs }: ReadyRecord, nowMs: number): boolean =>
  expiresAtMs <= nowMs || createdAtMs > nowMs + CLOCK_SKEW_MS_MAX;
