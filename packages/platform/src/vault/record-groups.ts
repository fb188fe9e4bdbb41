import { randomBytes } from "node:crypto";
import { Secret } from "@conclave/threshold";
import type { GroupKeyStore } from "./group-keys.ts";
import { sealValue, unsealValue } from "./sealing.ts";
import type { Table, TableChange } from "./table.ts";

/** The group of each record that has one. */
const MEMBERS = "vault/1/member/";
const KEY_BYTES = 32;
/** The character after every other ends a range of names. */
const END = "\u{10ffff}";

/** What a group's sealed key is bound to. */
const sealedName = (group: string): string => `vault/1/group/${group}`;

/**
 * Which records belong to a group, and the keys of the groups. A group's key is durable before its first record is, and
 * gone before its records are: a record whose group has no key was shredded.
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

  /** @returns undefined when a key does not open */
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

  /** Groups without a record: a disk may keep copies of those they had. */
  #empty(): readonly string[] {
    const used = new Set(this.#members.values());
    return [...this.#sealed.keys()].filter((group) => !used.has(group));
  }

  groupOf(record: string): string | undefined {
    return this.#members.get(record);
  }

  /** undefined once the group was shredded */
  keyOf(group: string): Secret<Uint8Array> | undefined {
    return this.#keys.get(group);
  }

  /** Records of groups that were shredded, but not yet removed. */
  remains(): readonly string[] {
    return [...this.#members].filter(([, group]) => !this.#keys.has(group)).map(([record]) => record);
  }

  /** The group's key, made and durable if there was none. */
  async admit(group: string): Promise<Secret<Uint8Array>> {
    const known = this.#keys.get(group);
    if (known !== undefined) return known;
    const key = new Secret(new Uint8Array(randomBytes(KEY_BYTES)));
    this.#sealed.set(group, sealValue(this.#master, sealedName(group), key));
    await this.#store.write(this.#sealed);
    this.#keys.set(group, key);
    return key;
  }

  /** A record is in this group now, or in none; the change that keeps it. */
  note(record: string, group: string | undefined): readonly TableChange[] {
    const key = MEMBERS + record;
    if (group === undefined) return this.#members.delete(record) ? [{ type: "del", key }] : [];
    this.#members.set(record, group);
    return [{ type: "put", key, value: Buffer.from(group, "utf8") }];
  }

  /** Destroys the keys of groups; gives the records that nobody can open any more. */
  async shred(groups: readonly string[]): Promise<readonly string[]> {
    const known = groups.filter((group) => this.#sealed.delete(group));
    if (known.length > 0) await this.#store.write(this.#sealed);
    for (const group of known) this.#keys.delete(group);
    return this.remains();
  }
}
