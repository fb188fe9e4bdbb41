import { randomBytes } from "node:crypto";
import { Secret } from "@conclave/threshold";
import { seal, unseal } from "./sealing.ts";
import type { Table, TableChange } from "./table.ts";

/** The sealed key of each group, and the group of each record that has one. */
const KEYS = "vault/1/group/";
const MEMBERS = "vault/1/member/";
const KEY_BYTES = 32;
/** The character after every other ends a range of names. */
const END = "\u{10ffff}";

/** Which records belong to a group, and the keys of the groups: kept in memory, changed only with the records. */
export class RecordGroups {
  readonly #master: Secret<Uint8Array>;
  readonly #keys: Map<string, Secret<Uint8Array>>;
  readonly #members: Map<string, string>;

  private constructor(
    master: Secret<Uint8Array>,
    keys: Map<string, Secret<Uint8Array>>,
    members: Map<string, string>,
  ) {
    this.#master = master;
    this.#keys = keys;
    this.#members = members;
  }

  static none(master: Secret<Uint8Array>): RecordGroups {
    return new RecordGroups(master, new Map(), new Map());
  }

  /** @returns undefined when a key does not open, or a record belongs to a group that has none */
  static async read(table: Table, master: Secret<Uint8Array>): Promise<RecordGroups | undefined> {
    const keys = new Map<string, Secret<Uint8Array>>();
    for await (const [name, bytes] of table.iterator({ gte: KEYS, lt: KEYS + END })) {
      const key = unseal(master, name, bytes);
      if (key === undefined) return undefined;
      keys.set(name.slice(KEYS.length), key);
    }
    const members = new Map<string, string>();
    for await (const [name, bytes] of table.iterator({ gte: MEMBERS, lt: MEMBERS + END })) {
      const group = Buffer.from(bytes).toString("utf8");
      if (!keys.has(group)) return undefined;
      members.set(name.slice(MEMBERS.length), group);
    }
    return new RecordGroups(master, keys, members);
  }

  groupOf(record: string): string | undefined {
    return this.#members.get(record);
  }

  /** @throws when the group was not admitted */
  keyOf(group: string): Secret<Uint8Array> {
    const key = this.#keys.get(group);
    if (key === undefined) throw new Error("a group of records has a key before it has records");
    return key;
  }

  /** Makes the key of a group that has none; the changes that keep it. */
  admit(group: string): readonly TableChange[] {
    if (this.#keys.has(group)) return [];
    const key = new Secret(new Uint8Array(randomBytes(KEY_BYTES)));
    this.#keys.set(group, key);
    return [{ type: "put", key: KEYS + group, value: seal(this.#master, KEYS + group, key) }];
  }

  /** A record is in this group now, or in none; the changes that keep it. */
  note(record: string, group: string | undefined): readonly TableChange[] {
    const key = MEMBERS + record;
    if (group === undefined) return this.#members.delete(record) ? [{ type: "del", key }] : [];
    this.#members.set(record, group);
    return [{ type: "put", key, value: Buffer.from(group, "utf8") }];
  }

  /** The group's key is gone, and its records with it. */
  forget(group: string): { readonly records: readonly string[]; readonly changes: readonly TableChange[] } {
    const records = [...this.#members].filter(([, of]) => of === group).map(([record]) => record);
    for (const record of records) this.#members.delete(record);
    this.#keys.delete(group);
    const gone = [KEYS + group, ...records.map((record) => MEMBERS + record)];
    return { records, changes: gone.map((key) => ({ type: "del", key })) };
  }
}
