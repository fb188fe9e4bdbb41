/**
 * A map as a value for what grows to many entries: a change copies one of its shards, not the whole.
 */
export interface PersistentMap<V> {
  readonly size: number;
  readonly shards: readonly ReadonlyMap<string, V>[];
}

const SHARDS = 1024;
const EMPTY: ReadonlyMap<string, never> = new Map<string, never>();

const shardOf = (key: string): number => {
  let hash = 0;
  for (let at = 0; at < key.length; at++) hash = (hash * 31 + key.charCodeAt(at)) % 65_521;
  return hash % SHARDS;
};

export const emptyMap = <V>(): PersistentMap<V> => ({
  size: 0,
  shards: Array.from({ length: SHARDS }, () => EMPTY),
});

/** A map of many entries at once: its cost grows with their number, that of as many changes grows with its square. */
export const mapOf = <V>(entries: Iterable<readonly [string, V]>): PersistentMap<V> => {
  const shards = Array.from({ length: SHARDS }, () => new Map<string, V>());
  for (const [key, value] of entries) shards[shardOf(key)]?.set(key, value);
  return { size: shards.reduce((size, shard) => size + shard.size, 0), shards };
};

export const lookUp = <V>(map: PersistentMap<V>, key: string): V | undefined =>
  map.shards[shardOf(key)]?.get(key);

const withShard = <V>(map: PersistentMap<V>, at: number, shard: ReadonlyMap<string, V>): PersistentMap<V> => {
  const before = map.shards[at]?.size ?? 0;
  return { size: map.size - before + shard.size, shards: map.shards.with(at, shard) };
};

export const put = <V>(map: PersistentMap<V>, key: string, value: V): PersistentMap<V> => {
  const at = shardOf(key);
  return withShard(map, at, new Map(map.shards[at] ?? EMPTY).set(key, value));
};

export const remove = <V>(map: PersistentMap<V>, key: string): PersistentMap<V> => {
  const at = shardOf(key);
  const shard = new Map(map.shards[at] ?? EMPTY);
  return shard.delete(key) ? withShard(map, at, shard) : map;
};

export function* entriesOf<V>(map: PersistentMap<V>): Generator<readonly [string, V]> {
  for (const shard of map.shards) yield* shard;
}
