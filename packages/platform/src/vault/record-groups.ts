import { fail, ok, type Result } from "@conclave/custody";
import type { Secret } from "@conclave/threshold";
import { freshGroupKey, sealGroupKeys, unsealGroupKey } from "./group-key.ts";
import type { GroupKeyStore } from "./group-keys.ts";
import { afterPrefix, type Table, type TableChange } from "./table.ts";

/** Names of the entries that hold the group of a record that shares a group with others. */
const MEMBERS = "vault/1/member/";
/**
 * From this number of group keys on, the keys of empty groups are destroyed when a new group comes: twice the most
 * presignatures that may wait.
 */
const GROUPS_KEPT = 8_192;

/** The group of each record after a batch; undefined for a record without one. */
export type Moves = ReadonlyMap<string, string | undefined>;

const membersIn = async (table: Table): Promise<Map<string, string>> => {
  const members = new Map<string, string>();
  for await (const [name, bytes] of table.iterator({ gte: MEMBERS, lt: afterPrefix(MEMBERS) })) {
    members.set(name.slice(MEMBERS.length), Buffer.from(bytes).toString("utf8"));
  }
  return members;
};

/** @returns undefined if a key cannot be decrypted */
const unsealed = (
  master: Secret<Uint8Array>,
  sealed: ReadonlyMap<string, Uint8Array>,
): Map<string, Secret<Uint8Array>> | undefined => {
  const keys = new Map<string, Secret<Uint8Array>>();
  for (const [group, bytes] of sealed) {
    const key = unsealGroupKey(master, group, bytes);
    if (key === undefined) return undefined;
    keys.set(group, key);
  }
  return keys;
};

/**
 * Knows which records belong to which group of several, and holds the keys of these groups: about as many as there are
 * keys with ready presignatures. A group's key is durable before its first record. It is destroyed only after the
 * removal of its last record is durable: a crash in between leaves a key that no record needs, and the next start
 * destroys it.
 */
export class RecordGroups {
  readonly #master: Secret<Uint8Array>;
  readonly #store: GroupKeyStore;
  readonly #keys: Map<string, Secret<Uint8Array>>;
  readonly #members: Map<string, string>;

  private constructor(
    master: Secret<Uint8Array>,
    store: GroupKeyStore,
    keys: Map<string, Secret<Uint8Array>>,
    members: Map<string, string>,
  ) {
    this.#master = master;
    this.#store = store;
    this.#keys = keys;
    this.#members = members;
  }

  /** @returns refusal StoreDamaged, before any key is destroyed, if a key cannot be decrypted */
  static async read(
    table: Table,
    master: Secret<Uint8Array>,
    store: GroupKeyStore,
  ): Promise<Result<RecordGroups>> {
    const members = await membersIn(table);
    const keys = unsealed(master, await store.shared());
    if (keys === undefined) return fail("StoreDamaged", {}, "The key of a group of records is damaged.");
    const groups = new RecordGroups(master, store, keys, members);
    await groups.destroy(groups.#empty());
    return ok(groups);
  }

  /** Groups that have no record any more; the disk may still hold copies of their former records. */
  #empty(): readonly string[] {
    const used = new Set(this.#members.values());
    return [...this.#keys.keys()].filter((group) => !used.has(group));
  }

  groupOf(record: string): string | undefined {
    return this.#members.get(record);
  }

  /** The key of a group; undefined after it was destroyed. */
  keyOf(group: string): Secret<Uint8Array> | undefined {
    return this.#keys.get(group);
  }

  /** Records that nobody can decrypt, because their group was shredded: an old copy of the table brought them back. */
  remains(): readonly string[] {
    return [...this.#members].filter(([, group]) => !this.#keys.has(group)).map(([record]) => record);
  }

  /** Makes and stores the keys that the groups lack. They are durable when this resolves. */
  async admit(groups: readonly string[]): Promise<void> {
    const fresh = new Map<string, Secret<Uint8Array>>();
    for (const group of groups) {
      if (this.#keys.has(group) || fresh.has(group)) continue;
      fresh.set(group, freshGroupKey());
    }
    if (fresh.size === 0) return;
    // an empty group keeps its key for its next record, up to GROUPS_KEPT keys: otherwise each presignature would need
    // a new key
    const over =
      this.#keys.size < GROUPS_KEPT ? [] : this.#empty().filter((group) => !groups.includes(group));
    await this.#store.change(sealGroupKeys(this.#master, fresh), over);
    for (const group of over) this.#keys.delete(group);
    for (const [group, key] of fresh) this.#keys.set(group, key);
  }

  /** The records that are in the given groups after a batch. */
  membersAfter(moves: Moves, groups: readonly string[]): readonly string[] {
    if (groups.length === 0) return [];
    const chosen = new Set(groups);
    return [...this.#members, ...moves].flatMap(([record]) => {
      const group = moves.has(record) ? moves.get(record) : this.#members.get(record);
      return group !== undefined && chosen.has(group) ? [record] : [];
    });
  }

  /** @returns the table changes that store the groups after a batch */
  entriesFor(moves: Moves): readonly TableChange[] {
    return [...moves].flatMap(([record, group]): TableChange[] => {
      const key = MEMBERS + record;
      if (group !== undefined) return [{ type: "put", key, value: Buffer.from(group, "utf8") }];
      return this.#members.has(record) ? [{ type: "del", key }] : [];
    });
  }

  /** Takes note of a batch that was written. */
  moved(moves: Moves): void {
    for (const [record, group] of moves) {
      if (group === undefined) this.#members.delete(record);
      else this.#members.set(record, group);
    }
  }

  /** Destroys the keys of groups that have no record any more, durably. */
  async destroy(groups: readonly string[]): Promise<void> {
    const known = groups.filter((group) => this.#keys.has(group));
    if (known.length === 0) return;
    const used = new Set(this.#members.values());
    if (known.some((group) => used.has(group))) throw new Error("a group whose key goes has no record");
    await this.#store.change(new Map(), known);
    for (const group of known) this.#keys.delete(group);
  }
}
