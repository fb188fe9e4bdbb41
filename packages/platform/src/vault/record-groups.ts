import { randomBytes } from "node:crypto";
import { Secret } from "@conclave/threshold";
import type { GroupKeyStore } from "./group-keys.ts";
import { sealValue, unsealValue } from "./sealing.ts";
import type { Table, TableChange } from "./table.ts";

/** Names of the entries that hold the group of a record. */
const MEMBERS = "vault/1/member/";
const KEY_BYTES = 32;
/** The highest character; it ends a range of names. */
const END = "\u{10ffff}";

/** The name that a group's encrypted key is bound to. */
const sealedName = (group: string): string => `vault/1/group/${group}`;

/**
 * Knows which records belong to which group, and holds the keys of the groups. A group's key is durable before its first
 * record, and destroyed before its records are removed. So a record whose group has no key was shredded.
 */
export class RecordGroups {
  readonly #master: Secret<Uint8Array>;
  readonly #store: GroupKeyStore;
  readonly #keys = new Map<string, Secret<Uint8Array>>();
  readonly #sealed: Map<string, Uint8Array>;
  readonly #members: Map<string, string>;

  private constructor(
    master: Secret<Uint8Array>,
    store: GroupKeyStore,
    sealed: ReadonlyMap<string, Uint8Array>,
    members: Map<string, string>,
  ) {
    this.#master = master;
    this.#store = store;
    this.#sealed = new Map(sealed);
    this.#members = members;
  }

  /** @returns undefined if a key cannot be decrypted */
  static async read(
    table: Table,
    master: Secret<Uint8Array>,
    store: GroupKeyStore,
  ): Promise<RecordGroups | undefined> {
    const members = new Map<string, string>();
    for await (const [name, bytes] of table.iterator({ gte: MEMBERS, lt: MEMBERS + END })) {
      members.set(name.slice(MEMBERS.length), Buffer.from(bytes).toString("utf8"));
    }
    const groups = new RecordGroups(master, store, await store.read(), members);
    if (!groups.#open()) return undefined;
    await groups.shred(groups.#empty());
    return groups;
  }

  #open(): boolean {
    for (const [group, sealed] of this.#sealed) {
      const key = unsealValue(this.#master, sealedName(group), sealed);
      if (key === undefined) return false;
      this.#keys.set(group, key);
    }
    return true;
  }

  /** Groups that have no record any more; the disk may still hold copies of their former records. */
  #empty(): readonly string[] {
    const used = new Set(this.#members.values());
    return [...this.#sealed.keys()].filter((group) => !used.has(group));
  }

  groupOf(record: string): string | undefined {
    return this.#members.get(record);
  }

  /** The key of a group; undefined after the group was shredded. */
  keyOf(group: string): Secret<Uint8Array> | undefined {
    return this.#keys.get(group);
  }

  /** Records of shredded groups that are not removed yet. */
  remains(): readonly string[] {
    return [...this.#members].filter(([, group]) => !this.#keys.has(group)).map(([record]) => record);
  }

  /** The key of a group; makes and stores one if there is none. It is durable when this resolves. */
  async admit(group: string): Promise<Secret<Uint8Array>> {
    const known = this.#keys.get(group);
    if (known !== undefined) return known;
    const key = new Secret(new Uint8Array(randomBytes(KEY_BYTES)));
    this.#sealed.set(group, sealValue(this.#master, sealedName(group), key));
    await this.#store.write(this.#sealed);
    this.#keys.set(group, key);
    return key;
  }

  /** Notes the group of a record, or that it has none. @returns the table changes that store it */
  note(record: string, group: string | undefined): readonly TableChange[] {
    const key = MEMBERS + record;
    if (group === undefined) return this.#members.delete(record) ? [{ type: "del", key }] : [];
    this.#members.set(record, group);
    return [{ type: "put", key, value: Buffer.from(group, "utf8") }];
  }

  /** Destroys the keys of groups. @returns the records that cannot be decrypted any more */
  async shred(groups: readonly string[]): Promise<readonly string[]> {
    const known = groups.filter((group) => this.#sealed.delete(group));
    if (known.length > 0) await this.#store.write(this.#sealed);
    for (const group of known) this.#keys.delete(group);
    return this.remains();
  }
}
