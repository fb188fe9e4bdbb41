import { randomBytes } from "node:crypto";
import type { StoredRecord } from "@conclave/cluster";
import { fail, ok, type Result } from "@conclave/custody";
import { Secret } from "@conclave/threshold";
import { deriveKey, SALT_BYTES, seal, unseal } from "./sealing.ts";
import type { Table, TableChange } from "./table.ts";

const SALT = "vault/1/salt";
const CHECK = "vault/1/check";
const CHECK_VALUE = "conclave vault 1";
/** Sealed records lie below this, so that no record's name can meet ours. */
const RECORDS = "record/";
/** The character after "/" ends a range of names. */
const afterPrefix = (prefix: string): string => `${prefix}\u{10ffff}`;
/** A write is on the disk when its promise resolves: durable before visible (INV-2). */
const DURABLE = { sync: true } as const;

/** A signer's records, each sealed on its own; only their names are readable on disk (INV-10). */
export class Vault {
  readonly #table: Table;
  readonly #key: Secret<Uint8Array>;

  private constructor(table: Table, key: Secret<Uint8Array>) {
    this.#table = table;
    this.#key = key;
  }

  /**
   * Opens a vault over a table, or begins one in an empty table.
   *
   * @returns refusal PassphraseWrong before anything is read or written; StoreDamaged when the table lacks its head
   */
  static async open(table: Table, passphrase: Secret<string>): Promise<Result<Vault>> {
    const salt = await table.get(SALT);
    if (salt === undefined) return Vault.#begin(table, passphrase);
    const key = await deriveKey(passphrase, salt);
    const check = await table.get(CHECK);
    if (check === undefined) return fail("StoreDamaged", {}, "The store lacks its check record.");
    if (unseal(key, CHECK, check) === undefined) {
      return fail("PassphraseWrong", {}, "The passphrase or key file does not open this store.");
    }
    return ok(new Vault(table, key));
  }

  static async #begin(table: Table, passphrase: Secret<string>): Promise<Result<Vault>> {
    for await (const _ of table.iterator({ gte: RECORDS, lt: afterPrefix(RECORDS) })) {
      return fail("StoreDamaged", {}, "The store has records, but lacks its salt.");
    }
    const salt = new Uint8Array(randomBytes(SALT_BYTES));
    const key = await deriveKey(passphrase, salt);
    // the check first: a crash in between leaves no salt, and the store begins anew
    await table.put(CHECK, seal(key, CHECK, new Secret(Buffer.from(CHECK_VALUE))), DURABLE);
    await table.put(SALT, salt, DURABLE);
    return ok(new Vault(table, key));
  }

  /** Seals and writes one record; on disk when this resolves. */
  async put(record: string, value: Secret<Uint8Array>): Promise<void> {
    const name = RECORDS + record;
    await this.#table.put(name, seal(this.#key, name, value), DURABLE);
  }

  /** Removes a record; harmless when there is none. */
  async erase(record: string): Promise<void> {
    await this.#table.del(RECORDS + record, DURABLE);
  }

  /**
   * Writes and removes records in one atomic step: after a crash all of it is there, or nothing.
   *
   * @param sync on disk when this resolves, with all that was written before; otherwise a loss of power may take it
   */
  async batch(
    puts: readonly { readonly record: string; readonly value: Secret<Uint8Array> }[],
    erases: readonly string[],
    sync: boolean,
  ): Promise<void> {
    const written = puts.map(({ record, value }): TableChange => {
      const key = RECORDS + record;
      return { type: "put", key, value: seal(this.#key, key, value) };
    });
    const removed = erases.map((record): TableChange => ({ type: "del", key: RECORDS + record }));
    await this.#table.batch([...written, ...removed], { sync });
  }

  /** @returns the record's value, undefined when there is none, or refusal StoreDamaged when it was changed */
  async get(record: string): Promise<Result<Secret<Uint8Array> | undefined>> {
    const name = RECORDS + record;
    const bytes = await this.#table.get(name);
    if (bytes === undefined) return ok(undefined);
    const value = unseal(this.#key, name, bytes);
    return value === undefined
      ? fail("StoreDamaged", { record }, `The record ${record} is damaged.`)
      : ok(value);
  }

  /** @returns all records whose names begin with the prefix, in order of names, or refusal StoreDamaged */
  async list(prefix = ""): Promise<Result<readonly StoredRecord[]>> {
    const records: StoredRecord[] = [];
    const from = RECORDS + prefix;
    for await (const [name, bytes] of this.#table.iterator({ gte: from, lt: afterPrefix(from) })) {
      const record = name.slice(RECORDS.length);
      const value = unseal(this.#key, name, bytes);
      if (value === undefined) return fail("StoreDamaged", { record }, `The record ${record} is damaged.`);
      records.push({ record, value });
    }
    return ok(records);
  }

  close(): Promise<void> {
    return this.#table.close();
  }
}
