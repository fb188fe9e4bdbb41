/** A use counts half after this long. */
const HALF_LIFE_MS = 60 * 60_000;
/** A key whose uses count less is not wanted any more: one use does after six hours. */
const FAINT = 1 / 64;
/** Keys that stay wanted however long ago they were used: a wallet of one payment a day finds a presignature. */
const KEPT_KEYS = 4;
/** Keys that are remembered; of more the least wanted are forgotten. */
const DEMAND_KEYS_MAX = 1_024;

interface KeyUse {
  /** presignatures that the key's signatures took, as they counted at `atMs` */
  readonly weight: number;
  /** of the clock that only counts, milliseconds */
  readonly atMs: number;
}

/** How much each key was used of late. */
export type Demand = ReadonlyMap<string, KeyUse>;

/** A key that is worth a stock. */
export interface WantedKey {
  readonly keyId: string;
  /** the count of its uses now; above 0 */
  readonly weight: number;
}

const weightAt = ({ weight, atMs }: KeyUse, nowMs: number): number =>
  weight * 2 ** (-Math.max(0, nowMs - atMs) / HALF_LIFE_MS);

const byWeight = (demand: Demand, nowMs: number): readonly WantedKey[] =>
  [...demand]
    .map(([keyId, use]) => ({ keyId, weight: weightAt(use, nowMs) }))
    .sort((a, b) => b.weight - a.weight);

/**
 * A key was used.
 * @param count presignatures that the use takes
 * @param nowMs of the clock that only counts
 */
export const withUse = (demand: Demand, keyId: string, count: number, nowMs: number): Demand => {
  const known = demand.get(keyId);
  const before = known === undefined ? 0 : weightAt(known, nowMs);
  const next = new Map(demand).set(keyId, { weight: before + count, atMs: nowMs });
  if (next.size <= DEMAND_KEYS_MAX) return next;
  for (const { keyId: least } of byWeight(next, nowMs).slice(DEMAND_KEYS_MAX)) next.delete(least);
  return next;
};

/** The keys that a stock is kept for, the most wanted first. */
export const wantedKeys = (demand: Demand, nowMs: number): readonly WantedKey[] =>
  byWeight(demand, nowMs).filter(({ weight }, at) => at < KEPT_KEYS || weight >= FAINT);
