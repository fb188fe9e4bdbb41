import { isEpochSecret, type StoredRecord } from "@conclave/cluster";
import { fail, ok, type Result } from "@conclave/custody";
import type { Secret } from "@conclave/threshold";
import { type Deadline, deadlineEntries, dueIn, isListed, markListed } from "./deadlines.ts";
import type { GroupKeyStore } from "./group-keys.ts";
import { type OwnChange, OwnKeys } from "./own-keys.ts";
import { RecordGroups } from "./record-groups.ts";
import { boundName, openSealed, RECORD_NAMES } from "./record-names.ts";
import { sealValue } from "./sealing.ts";
import { afterPrefix, type Table, type TableChange } from "./table.ts";
import { AlteredStore } from "./whole/altered-store.ts";
import { openWholeTable } from "./whole/opening.ts";
import { OWNER, ownerOf, sealOwner } from "./whole/owner.ts";
import type { WholeTable } from "./whole/whole-table.ts";

/** Changes that are applied together or not at all. */
export interface VaultBatch {
  readonly puts: readonly (Deadline & {
    readonly record: string;
    readonly value: Secret<Uint8Array>;
    /** group of records that are shredded together, such as the presignatures of a key's epoch in stores of older versions */
    readonly group?: string;
  })[];
  readonly erases: readonly string[];
  /** groups to shred */
  readonly shreds?: readonly string[];
  readonly sync: boolean;
}

const damage = (record: string): string => `The record ${record} is damaged.`;

/** Returns the exception of an altered store as a refusal. */
const refusingAltered = async <T>(work: () => Promise<Result<T>>): Promise<Result<T>> => {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof AlteredStore)) throw error;
    return fail("StoreAltered", { entry: error.entry }, error.message);
  }
};

type Put = VaultBatch["puts"][number];

/** Whether a put record gets a key of its own. */
const hasOwnKey = ({ record, group }: Put): boolean => group === undefined && isEpochSecret(record);

/** A signer's records, each encrypted separately; only their names are readable on disk (INV-10). */
export class Vault {
  readonly #table: WholeTable;
  readonly #key: Secret<Uint8Array>;
  readonly #groups: RecordGroups;
  readonly #own: OwnKeys;
  /** the last deadline entry that `forget` removed since the vault was opened */
  #forgotten: string | undefined;
  /** settles when the table is free for the next change */
  #turn: Promise<unknown> = Promise.resolve();
  /** why the first failed change failed */
  #failed: { readonly cause: unknown } | undefined;

  private constructor(table: WholeTable, key: Secret<Uint8Array>, groups: RecordGroups, own: OwnKeys) {
    this.#table = table;
    this.#key = key;
    this.#groups = groups;
    this.#own = own;
  }

  /** All checks come first, so that a refused store loses no key. */
  static async #with(
    table: WholeTable,
    key: Secret<Uint8Array>,
    groupKeys: GroupKeyStore,
  ): Promise<Result<Vault>> {
    const own = await OwnKeys.open(table, key, groupKeys);
    if (!own.ok) return own;
    const groups = await RecordGroups.read(table, key, groupKeys);
    if (!groups.ok) return groups;
    await own.value.settle();
    return ok(new Vault(table, key, groups.value, own.value));
  }

  /**
   * Opens the vault in a table, or creates one in an empty table. A table of an older version is migrated once: from
   * then on the vault knows its entries.
   *
   * @param groupKeys stored apart from the table, so that the key of a group can be destroyed
   * @returns refusal PassphraseWrong before any record is read or written; StoreNewer for the form of a newer version;
   * StoreDamaged if the table lacks the vault's own entries; StoreAltered if anything but this vault changed it
   */
  static async open(
    table: Table,
    passphrase: Secret<string>,
    groupKeys: GroupKeyStore,
  ): Promise<Result<Vault>> {
    return refusingAltered(async () => {
      const whole = await openWholeTable(table, passphrase, groupKeys);
      if (!whole.ok) return whole;
      const vault = await Vault.#with(whole.value.table, whole.value.key, groupKeys);
      if (!vault.ok) return vault;
      if (whole.value.isNew) await vault.value.markListed();
      const remains = vault.value.#groups.remains();
      if (remains.length > 0) await vault.value.batch({ puts: [], erases: remains, sync: true });
      return vault;
    });
  }

  /**
   * Binds the vault to an identity, once; no other identity can use it afterwards.
   *
   * @param owner digest of the identity's public keys
   * @returns refusal StoreOfAnother when it is bound to another one
   */
  bindTo(owner: Uint8Array): Promise<Result<void>> {
    return refusingAltered(async () => {
      const sealed = this.#table.getSync(OWNER);
      if (sealed === undefined) {
        await this.#inTurn(() => this.#table.put(OWNER, sealOwner(this.#key, owner), { sync: true }));
        return ok(undefined);
      }
      const bound = ownerOf(this.#key, sealed);
      if (bound !== undefined && Buffer.from(bound).equals(owner)) return ok(undefined);
      return fail("StoreOfAnother", {}, "The store belongs to another identity than this signer's.");
    });
  }

  /**
   * Compares all stored entries with what the vault wrote; other calls may run meanwhile.
   *
   * @returns yields repeatedly how many entries it has checked; the caller decides when it goes on
   * @throws AlteredStore if an entry is missing, added, or not as it was written
   */
  check(): AsyncGenerator<number> {
    return this.#table.check();
  }

  /** The number of writes so far: it only grows, and an older copy of the store has a smaller one. */
  get counter(): number {
    return this.#table.counter;
  }

  /** Writes the changes that need no sync and still wait in memory, if any. */
  settle(): Promise<void> {
    return this.#table.settle();
  }

  /** Encrypts and writes one record; it is on disk when this resolves. */
  put(record: string, value: Secret<Uint8Array>): Promise<void> {
    return this.batch({ puts: [{ record, value }], erases: [], sync: true });
  }

  /** Removes a record; does nothing if there is none. */
  erase(record: string): Promise<void> {
    return this.batch({ puts: [], erases: [record], sync: true });
  }

  /**
   * Writes and removes records atomically: after a crash all changes are there, or none.
   *
   * A record with a group is encrypted under a key of that group. Shredding a group destroys that key, which is stored
   * in a small file of its own. Then nobody can decrypt the copies of the records that a disk may keep in logs or worn
   * cells. A record that holds a secret of an epoch has a group of its own, a new one at each write. When it is written
   * again or removed, the key of its previous value is destroyed: after the change is on disk, so that no crash loses
   * the secret.
   *
   * @param batch with `sync` it is on disk when this resolves, with all earlier writes; without it, it is written with
   * the next one, and lost if the process ends before, unless it destroys a key
   */
  batch(batch: VaultBatch): Promise<void> {
    return this.#inTurn(() => this.#write(batch));
  }

  /**
   * Runs changes one at a time, so that records that `forget` found due are still due when it removes them. After a
   * failed change none runs: LevelDB would write it behind the torn one, report it durable, and not find it after a
   * restart (INV-2).
   */
  #inTurn<T>(change: () => Promise<T>): Promise<T> {
    const done = this.#turn.then(() => this.#unlessFailed(change));
    this.#turn = done.catch((cause: unknown) => {
      this.#failed ??= { cause };
    });
    return done;
  }

  #unlessFailed<T>(change: () => Promise<T>): Promise<T> {
    if (this.#failed !== undefined)
      throw new Error("a write to the store failed; nothing more is written", this.#failed);
    return change();
  }

  async #write({ puts, erases, sync, shreds = [] }: VaultBatch): Promise<void> {
    const moves = new Map<string, string | undefined>(puts.map(({ record, group }) => [record, group]));
    const removed = new Set([...erases, ...this.#groups.membersAfter(moves, shreds)]);
    for (const record of removed) moves.set(record, undefined);
    const written = puts.filter(({ record }) => !removed.has(record));
    await this.#groups.admit(written.flatMap(({ group }) => group ?? []));
    const alone = new Set(written.filter(hasOwnKey).map(({ record }) => record));
    const left = [...moves.keys()].filter((record) => isEpochSecret(record) && !alone.has(record));
    const own = await this.#own.begin([...alone], left);
    const changes: TableChange[] = [];
    for (const put of written) changes.push(this.#sealed(put, own), ...deadlineEntries(put.record, put));
    for (const record of removed) changes.push({ type: "del", key: RECORD_NAMES + record });
    changes.push(...this.#groups.entriesFor(moves), ...own.changes);
    const isSynced = sync || shreds.length > 0 || own.changes.length > 0;
    await this.#table.batch(changes, { sync: isSynced });
    this.#groups.moved(moves);
    await this.#groups.destroy(shreds);
    await this.#own.finish(own);
  }

  #sealed({ record, value, group: shared }: Put, { written }: OwnChange): TableChange {
    const name = RECORD_NAMES + record;
    const own = shared === undefined ? written.get(record) : undefined;
    const group = own?.group ?? shared;
    const key = group === undefined ? this.#key : (own?.key ?? this.#groups.keyOf(group));
    if (key === undefined) throw new Error("an admitted group has a key");
    return { type: "put", key: name, value: sealValue(key, boundName(record, group), value) };
  }

  /** @returns the record's value; undefined if there is none; refusal StoreAltered if it is not as it was written, or StoreDamaged */
  get(record: string): Promise<Result<Secret<Uint8Array> | undefined>> {
    return refusingAltered(async () => {
      const found = this.#find(record);
      return found === "damaged" ? fail("StoreDamaged", { record }, damage(record)) : ok(found);
    });
  }

  /**
   * As `get`, synchronously.
   *
   * @throws if the record was altered
   */
  read(record: string): Secret<Uint8Array> | undefined {
    const found = this.#find(record);
    if (found === "damaged") throw new Error(damage(record));
    return found;
  }

  #find(record: string): Secret<Uint8Array> | undefined | "damaged" {
    // a batch may land between the two reads, of the record and of its key, so that they do not match; only one batch
    // can, because the next begins after this one has been taken note of
    for (let tries = 0; tries < 2; tries++) {
      const bytes = this.#table.getSync(RECORD_NAMES + record);
      if (bytes === undefined) return undefined;
      const value = this.#open(record, bytes);
      if (value !== undefined) return value;
    }
    return "damaged";
  }

  /** @returns all records whose names begin with the prefix, ordered by name; or refusal StoreAltered or StoreDamaged */
  list(prefix = ""): Promise<Result<readonly StoredRecord[]>> {
    return this.#range(RECORD_NAMES + prefix, afterPrefix(RECORD_NAMES + prefix));
  }

  /**
   * @param prefixes ascending
   * @returns all records whose names begin with none of the prefixes, ordered by name; or refusal StoreAltered or StoreDamaged. The others are not read
   */
  async listBut(prefixes: readonly string[]): Promise<Result<readonly StoredRecord[]>> {
    const records: StoredRecord[] = [];
    let from = RECORD_NAMES;
    for (const prefix of [...prefixes, undefined]) {
      const to = prefix === undefined ? afterPrefix(RECORD_NAMES) : RECORD_NAMES + prefix;
      const part = await this.#range(from, to);
      if (!part.ok) return part;
      records.push(...part.value);
      from = afterPrefix(to);
    }
    return ok(records);
  }

  /** At most `limit` records with a prefix whose names come after `after`: for lists that are too long to read at once. */
  async next(prefix: string, after: string, limit: number): Promise<Result<readonly StoredRecord[]>> {
    const from = `${RECORD_NAMES}${after === "" ? prefix : after}\u{0}`;
    return this.#range(from, afterPrefix(RECORD_NAMES + prefix), limit);
  }

  #range(from: string, to: string, limit?: number): Promise<Result<readonly StoredRecord[]>> {
    return refusingAltered(() => this.#read(from, to, limit));
  }

  async #read(from: string, to: string, limit?: number): Promise<Result<readonly StoredRecord[]>> {
    const found: { readonly record: string; readonly bytes: Uint8Array }[] = [];
    const range = { gte: from, lt: to, ...(limit === undefined ? {} : { limit }) };
    for await (const [name, bytes] of this.#table.iterator(range)) {
      found.push({ record: name.slice(RECORD_NAMES.length), bytes });
    }
    const values = new Map<string, Secret<Uint8Array>>();
    const hasKeys = found.some(({ record }) => isEpochSecret(record));
    for (const { record, bytes } of hasKeys ? this.#own.inOrderOfFiles(found) : found) {
      const value = this.#open(record, bytes);
      if (value === undefined) return fail("StoreDamaged", { record }, damage(record));
      values.set(record, value);
    }
    return ok(
      found.flatMap(({ record }) => {
        const value = values.get(record);
        return value === undefined ? [] : [{ record, value }];
      }),
    );
  }

  /** Whether every record with a deadline is listed by it. */
  isListed(): Promise<boolean> {
    return isListed(this.#table);
  }

  /** Records that every record with a deadline was written with it; durable when it resolves, with all earlier writes. */
  markListed(): Promise<void> {
    return markListed(this.#table);
  }

  /**
   * Removes records whose deadline has passed, the earliest first, in one unsynced write, which goes to disk with the
   * next one.
   *
   * @param untilMs Unix milliseconds
   * @param limit how many at most
   * @returns how many were removed
   */
  forget(untilMs: number, limit: number): Promise<number> {
    return this.#inTurn(() => this.#removeDue(untilMs, limit));
  }

  async #removeDue(untilMs: number, limit: number): Promise<number> {
    const due = await dueIn(this.#table, untilMs, limit, this.#forgotten);
    const last = due.at(-1);
    if (last === undefined) return 0;
    const changes = due.flatMap(({ entry, record }): TableChange[] => [
      { type: "del", key: RECORD_NAMES + record },
      { type: "del", key: entry },
    ]);
    await this.#table.batch(changes, { sync: false });
    this.#forgotten = last.entry;
    return due.length;
  }

  #open(record: string, bytes: Uint8Array): Secret<Uint8Array> | undefined {
    const shared = this.#groups.groupOf(record);
    const own = shared === undefined && isEpochSecret(record) ? this.#own.groupOf(record) : undefined;
    const group = shared ?? own;
    const key =
      own === undefined
        ? shared === undefined
          ? this.#key
          : this.#groups.keyOf(shared)
        : this.#own.keyOf(own);
    return key && openSealed(key, record, group, bytes);
  }

  close(): Promise<void> {
    return this.#table.close();
  }
}
