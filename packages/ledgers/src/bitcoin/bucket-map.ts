const BUCKETS = 1_024;

/**
 * An immutable map whose changed copies share unchanged buckets: a ledger holds a hundred thousand coins, of which a
 * block changes a few. Its keys begin with digits of a digest, which distribute evenly.
 */
export interface BucketMap<Value> {
  readonly buckets: readonly ReadonlyMap<string, Value>[];
  readonly size: number;
}

export const emptyBucketMap = <Value>(): BucketMap<Value> => {
  const empty: ReadonlyMap<string, Value> = new Map();
  return { buckets: Array.from({ length: BUCKETS }, () => empty), size: 0 };
};

const bucketOf = (key: string): number => Number.parseInt(key.slice(8, 12), 16) % BUCKETS;

export const bucketValue = <Value>({ buckets }: BucketMap<Value>, key: string): Value | undefined =>
  buckets[bucketOf(key)]?.get(key);

/** @param changes the new value of each key; undefined deletes it. Of several changes of a key, the last counts */
export const withBucketChanges = <Value>(
  map: BucketMap<Value>,
  changes: Iterable<readonly [key: string, value: Value | undefined]>,
): BucketMap<Value> => {
  const changed = new Map<number, Map<string, Value>>();
  for (const [key, value] of changes) {
    const at = bucketOf(key);
    const bucket = changed.get(at) ?? new Map(map.buckets[at]);
    changed.set(at, bucket);
    if (value === undefined) bucket.delete(key);
    else bucket.set(key, value);
  }
  if (changed.size === 0) return map;
  const buckets = [...map.buckets];
  let size = map.size;
  for (const [at, bucket] of changed) {
    size += bucket.size - (buckets[at]?.size ?? 0);
    buckets[at] = bucket;
  }
  return { buckets, size };
};

export function* bucketEntries<Value>({ buckets }: BucketMap<Value>): Generator<readonly [string, Value]> {
  for (const bucket of buckets) yield* bucket;
}
