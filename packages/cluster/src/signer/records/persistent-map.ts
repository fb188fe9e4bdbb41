/**
 * An immutable map for many entries: a change copies one shard, its row and the list of rows, not the whole map. All
 * empty rows and shards are the same object, so that a small map is made and iterated fast.
 */
export interface PersistentMap<V> {
  readonly size: number;
  readonly rows: readonly Row<V>[];
}

type Shard<V> = ReadonlyMap<string, V>;
type Row<V> = readonly Shard<V>[];

const ROWS = 32;
const SHARDS_PER_ROW = 32;
const NO_ENTRY: Shard<never> = new Map<string, never>();
const NO_SHARD: Row<never> = Array.from({ length: SHARDS_PER_ROW }, () => NO_ENTRY);
const NO_ROW: readonly Row<never>[] = Array.from({ length: ROWS }, () => NO_SHARD);

const shardOf = (key: string): number => {
  let hash = 0;
  for (let at = 0; at < key.length; at++) hash = (hash * 31 + key.charCodeAt(at)) % 65_521;
  return hash % (ROWS * SHARDS_PER_ROW);
};

const rowAt = <V>({ rows }: PersistentMap<V>, at: number): Row<V> =>
  rows[Math.floor(at / SHARDS_PER_ROW)] ?? NO_SHARD;

const shardAt = <V>(map: PersistentMap<V>, at: number): Shard<V> =>
  rowAt(map, at)[at % SHARDS_PER_ROW] ?? NO_ENTRY;

export const emptyMap = <V>(): PersistentMap<V> => ({ size: 0, rows: NO_ROW });

/** Builds a map of many entries at once, in linear time; adding them one by one takes quadratic time. */
export const mapOf = <V>(entries: Iterable<readonly [string, V]>): PersistentMap<V> => {
  const filled = new Map<number, Map<string, V>>();
  for (const [key, value] of entries) {
    const at = shardOf(key);
    const shard = filled.get(at) ?? new Map<string, V>();
    filled.set(at, shard.set(key, value));
  }
  let map = emptyMap<V>();
  for (const [at, shard] of filled) map = withShard(map, at, shard);
  return map;
};

export const lookUp = <V>(map: PersistentMap<V>, key: string): V | undefined =>
  shardAt(map, shardOf(key)).get(key);

const withShard = <V>(map: PersistentMap<V>, at: number, shard: Shard<V>): PersistentMap<V> => ({
  size: map.size - shardAt(map, at).size + shard.size,
  rows: map.rows.with(Math.floor(at / SHARDS_PER_ROW), rowAt(map, at).with(at % SHARDS_PER_ROW, shard)),
});

export const put = <V>(map: PersistentMap<V>, key: string, value: V): PersistentMap<V> => {
  const at = shardOf(key);
  return withShard(map, at, new Map(shardAt(map, at)).set(key, value));
};

export const remove = <V>(map: PersistentMap<V>, key: string): PersistentMap<V> => {
  const at = shardOf(key);
  const shard = new Map(shardAt(map, at));
  return shard.delete(key) ? withShard(map, at, shard) : map;
};

export function* entriesOf<V>({ rows }: PersistentMap<V>): Generator<readonly [string, V]> {
  for (const row of rows) {
    if (row === NO_SHARD) continue;
    for (const shard of row) if (shard.size > 0) yield* shard;
  }
}
