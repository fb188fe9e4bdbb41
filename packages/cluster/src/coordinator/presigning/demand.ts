/** Time after which the weight of a use has halved. */
const HALF_LIFE_MS = 60 * 60_000;
/** Weight below which a key is no longer wanted: a single use falls below it after six hours. */
const FAINT = 1 / 64;
/**
 * The number of keys that stay wanted however old their last use is, so that a wallet with one payment a day finds a
 * presignature.
 */
const KEPT_KEYS = 4;
/** Limit on remembered keys; the least wanted are forgotten first. */
const DEMAND_KEYS_MAX = 1_024;

interface KeyUse {
  /** presignatures that the key's signatures took, weighted as of `atMs` */
  readonly weight: number;
  /** milliseconds of the monotonic clock */
  readonly atMs: number;
}

/** The recent use of each key. */
export type Demand = ReadonlyMap<string, KeyUse>;

/** A key for which presignatures are kept in stock. */
export interface WantedKey {
  readonly keyId: string;
  /** weight of its uses now; above 0 */
  readonly weight: number;
}

const weightAt = ({ weight, atMs }: KeyUse, nowMs: number): number =>
  weight * 2 ** (-Math.max(0, nowMs - atMs) / HALF_LIFE_MS);

const byWeight = (demand: Demand, nowMs: number): readonly WantedKey[] =>
  [...demand]
    .map(([keyId, use]) => ({ keyId, weight: weightAt(use, nowMs) }))
    .sort((a, b) => b.weight - a.weight);

/**
 * Records a use of a key.
 * @param count presignatures that the use takes
 * @param nowMs milliseconds of the monotonic clock
 */
export const withUse = (demand: Demand, keyId: string, count: number, nowMs: number): Demand => {
  const known = demand.get(keyId);
  const before = known === undefined ? 0 : weightAt(known, nowMs);
  const next = new Map(demand).set(keyId, { weight: before + count, atMs: nowMs });
  if (next.size <= DEMAND_KEYS_MAX) return next;
  for (const { keyId: least } of byWeight(next, nowMs).slice(DEMAND_KEYS_MAX)) next.delete(least);
  return next;
};

/** The keys for which presignatures are kept in stock, the most wanted first. */
export const wantedKeys = (demand: Demand, nowMs: number): readonly WantedKey[] =>
  byWeight(demand, nowMs).filter(({ weight }, at) => at < KEPT_KEYS || weight >= FAINT);
