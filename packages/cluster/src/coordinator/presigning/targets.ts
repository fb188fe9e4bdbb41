import type { WantedKey } from "./demand.ts";

/** The number of presignatures that a key should have. */
export interface StockTarget {
  readonly keyId: string;
  /** of all its sets together; at least 1 */
  readonly count: number;
}

/**
 * Divides the stock among keys. Every wanted key gets one presignature while there is room, the most wanted first; the
 * rest goes to keys by use (highest averages), up to the limit of one key. So a seldom used key still finds one, and no
 * key has many while another has none.
 *
 * @param keys the most wanted first
 * @param perKeyMax of one key
 * @param totalMax of all keys
 * @returns the keys that get any, in the order given
 */
export const stockTargets = (
  keys: readonly WantedKey[],
  perKeyMax: number,
  totalMax: number,
): readonly StockTarget[] => {
  if (perKeyMax <= 0) return [];
  const shares = keys.slice(0, totalMax).map(({ keyId, weight }) => ({ keyId, weight, count: 1 }));
  for (let left = totalMax - shares.length; left > 0; left--) {
    let next: (typeof shares)[number] | undefined;
    for (const share of shares) {
      if (share.count >= perKeyMax) continue;
      if (next === undefined || share.weight / share.count > next.weight / next.count) next = share;
    }
    if (next === undefined) break;
    next.count += 1;
  }
  return shares.map(({ keyId, count }) => ({ keyId, count }));
};
