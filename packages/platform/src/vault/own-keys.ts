import { randomBytes } from "node:crypto";
import { fail, ok, type Result } from "@conclave/custody";
import type { Secret } from "@conclave/threshold";
import { freshGroupKey, sealGroupKeys, unsealGroupKey } from "./group-key.ts";
import type { GroupKeyStore } from "./group-keys.ts";
import { freshGroup, recordOfGroup } from "./own-group.ts";
import {
  type FileStamp,
  fileOfRecord,
  NO_FILE,
  OWN_FILES,
  type OwnKeyFile,
  type OwnKeyFiles,
} from "./own-key-files.ts";
import { afterPrefix, type Table, type TableChange } from "./table.ts";

/**
 * Names of the entries that hold the group of a record with a key of its own. Versions that know only groups of several
 * records do not read these entries: they find the record damaged and refuse to start. Otherwise they would remove it
 * as a record of a group without a key.
 */
const MEMBERS = "vault/1/own-member/";
/**
 * Names of the entries that hold, for each key file, the stamp of the last change that reached the table. If that
 * change only destroys keys, the previous stamp follows, because the file may still have it.
 */
const STAMPS = "vault/1/own-stamp/";
/** Present once every file was found to agree with the table; older versions wrote no stamps. */
const STAMPED = "vault/1/own-stamped";
const STAMP_BYTES = 8;
const NOTHING = new Uint8Array(0);

const stampEntry = (file: number): string => STAMPS + file.toString(16).padStart(2, "0");
const fileOfGroup = (group: string): number => fileOfRecord(recordOfGroup(group));
const textOf = (bytes: Uint8Array): string => Buffer.from(bytes).toString("utf8");
const newStamp = (): string => randomBytes(STAMP_BYTES).toString("hex");

/** The table's entry of a file. */
interface Known {
  readonly now: string;
  readonly before: string | undefined;
}

const readKnown = (bytes: Uint8Array | undefined): Known => {
  const [now = "", before] = bytes === undefined ? [] : textOf(bytes).split(" ");
  return { now, before };
};

/**
 * - settled: the file and the table show the same change.
 * - interrupted: a crash came between the file and the table. The file may have keys that no record needs, and lacks
 *   none.
 * - strange: the file or the table is an older or newer copy. Keys may be missing.
 */
const fateOf = (
  { now, before }: Known,
  file: FileStamp | undefined,
): "settled" | "interrupted" | "strange" => {
  if (file === undefined) return "strange"; // an older version wrote it
  if (file.stamp === now) return file.ends ? "interrupted" : "settled";
  const isUnderWay = file.before === now || (before !== undefined && file.stamp === before);
  return isUnderWay ? "interrupted" : "strange";
};

/** The changes of a batch in one file. */
interface FileChange {
  readonly fresh: Map<string, Secret<Uint8Array>>;
  /** groups whose keys are destroyed */
  readonly over: Set<string>;
}

/** A change whose new keys are durable, and whose old keys are destroyed once the table has its changes. */
export interface OwnChange {
  /** the new group of each written record, and its key */
  readonly written: ReadonlyMap<string, { readonly group: string; readonly key: Secret<Uint8Array> }>;
  /** for the table: synced, in one batch with the records */
  readonly changes: readonly TableChange[];
  readonly over: ReadonlyMap<number, { readonly stamp: string; readonly groups: ReadonlySet<string> }>;
  readonly files: readonly number[];
}

/**
 * Keys of records that have a key of their own. They are not kept in memory: a key is read with its record. A key is
 * durable before its record. It is destroyed only after the record is durably removed or under another key.
 *
 * A crash in between leaves a key that no record needs. Stamps show a start which files hold such keys: each change
 * writes the same stamp first to its files, then to the table. So a start reads no keys, unless a crash interrupted a
 * change; it then reads only the files of that change. Stamps also show files that are an older or newer copy than the
 * table.
 */
export class OwnKeys {
  readonly #table: Table;
  readonly #master: Secret<Uint8Array>;
  readonly #files: OwnKeyFiles;
  /** files that may hold keys that no record needs */
  readonly #unsettled: Set<number>;

  private constructor(table: Table, master: Secret<Uint8Array>, files: OwnKeyFiles, unsettled: Set<number>) {
    this.#table = table;
    this.#master = master;
    this.#files = files;
    this.#unsettled = unsettled;
  }

  /**
   * Compares the files with the table, and changes nothing.
   *
   * @returns refusal StoreDamaged if a record's key is missing in a file that is an older or newer copy than the table
   */
  static async open(
    table: Table,
    master: Secret<Uint8Array>,
    store: GroupKeyStore,
  ): Promise<Result<OwnKeys>> {
    const files = await store.own();
    const isStamped = (await table.get(STAMPED)) !== undefined;
    const unsettled = new Set<number>();
    const strange = new Set<number>();
    for (let file = 0; file < OWN_FILES; file++) {
      const fate = isStamped
        ? fateOf(readKnown(table.getSync(stampEntry(file))), files.stampOf(file))
        : "strange";
      if (fate === "strange") strange.add(file);
      if (fate !== "settled") unsettled.add(file);
    }
    const keys = new OwnKeys(table, master, files, unsettled);
    const lacking = strange.size === 0 ? undefined : await keys.#lacking(strange);
    // the store is not repaired: an operator may still bring back the files that match the table
    const message = `The files of keys beside the store lack the key of the record ${lacking}.`;
    return lacking === undefined ? ok(keys) : fail("StoreDamaged", { record: lacking }, message);
  }

  /** A record whose key belongs into one of these files and is in none; undefined if there is no such record. */
  async #lacking(strange: ReadonlySet<number>): Promise<string | undefined> {
    const held = new Set([...strange].flatMap((file) => [...this.#files.content(file).keys.keys()]));
    for await (const [name, bytes] of this.#table.iterator({ gte: MEMBERS, lt: afterPrefix(MEMBERS) })) {
      const group = textOf(bytes);
      if (strange.has(fileOfGroup(group)) && !held.has(group)) return name.slice(MEMBERS.length);
    }
    return undefined;
  }

  /** Destroys the keys that interrupted changes left; afterwards all files agree with the table. */
  async settle(): Promise<void> {
    for (const file of this.#unsettled) await this.#settleFile(file);
    if ((await this.#table.get(STAMPED)) === undefined) {
      await this.#table.put(STAMPED, NOTHING, { sync: true });
    }
  }

  async #settleFile(file: number): Promise<void> {
    const { now } = readKnown(await this.#table.get(stampEntry(file)));
    const content = this.#files.content(file);
    const used = [...content.keys].filter(([group]) => this.groupOf(recordOfGroup(group)) === group);
    const isSettled = used.length === content.keys.size && content.stamp === now && !content.ends;
    if (now === "" && used.length > 0) await this.#stampFile(file, new Map(used));
    else if (!isSettled) await this.#files.replace(file, { ...NO_FILE, stamp: now, keys: new Map(used) });
    this.#unsettled.delete(file);
  }

  /**
   * Gives its first stamp to a file with keys: without one, a start could not notice that the file was lost or is an
   * older copy.
   */
  async #stampFile(file: number, keys: OwnKeyFile["keys"]): Promise<void> {
    const stamp = newStamp();
    await this.#files.replace(file, { stamp, before: "", ends: false, keys });
    await this.#table.put(stampEntry(file), Buffer.from(stamp, "utf8"), { sync: true });
  }

  /** The group that only this record has; undefined if it has none. */
  groupOf(record: string): string | undefined {
    const group = this.#table.getSync(MEMBERS + record);
    return group && textOf(group);
  }

  /** Sorts records by the file of their keys, so that each file is read once for all of them. */
  inOrderOfFiles<T extends { readonly record: string }>(records: readonly T[]): readonly T[] {
    const placed = records.map((each) => ({ each, file: fileOfRecord(each.record) }));
    return placed.sort((one, other) => one.file - other.file).map(({ each }) => each);
  }

  /** The key of a group; undefined if it is missing or was altered. */
  keyOf(group: string): Secret<Uint8Array> | undefined {
    const sealed = this.#files.content(fileOfGroup(group)).keys.get(group);
    return sealed && unsealGroupKey(this.#master, group, sealed);
  }

  /**
   * Makes keys for records that are about to be written; they are durable when this resolves.
   *
   * @param written records that get a new group of their own
   * @param left records that have no group of their own from now on
   */
  async begin(written: readonly string[], left: readonly string[]): Promise<OwnChange> {
    const entries: TableChange[] = [];
    const keys = new Map<string, { readonly group: string; readonly key: Secret<Uint8Array> }>();
    const byFile = new Map<number, FileChange>();
    const changeFor = (record: string): FileChange => {
      const file = fileOfRecord(record);
      const change = byFile.get(file) ?? { fresh: new Map(), over: new Set() };
      byFile.set(file, change);
      return change;
    };
    for (const record of new Set([...written, ...left])) {
      const before = this.groupOf(record);
      if (before === undefined) continue;
      changeFor(record).over.add(before);
      entries.push({ type: "del", key: MEMBERS + record });
    }
    for (const record of written) {
      const group = freshGroup(record);
      const key = freshGroupKey();
      keys.set(record, { group, key });
      changeFor(record).fresh.set(group, key);
      entries.push({ type: "put", key: MEMBERS + record, value: Buffer.from(group, "utf8") });
    }
    const over = new Map<number, { readonly stamp: string; readonly groups: ReadonlySet<string> }>();
    for (const [file, change] of byFile) {
      const stamp = newStamp();
      entries.push(await this.#beginFile(file, stamp, change));
      if (change.over.size > 0) over.set(file, { stamp, groups: change.over });
    }
    return { written: keys, changes: entries, over, files: [...byFile.keys()] };
  }

  /** @returns the table change that records the file's new stamp */
  async #beginFile(file: number, stamp: string, { fresh, over }: FileChange): Promise<TableChange> {
    if (this.#unsettled.has(file)) await this.#settleFile(file); // an earlier change failed
    this.#unsettled.add(file);
    const { now } = readKnown(await this.#table.get(stampEntry(file)));
    const value = (text: string): Uint8Array => Buffer.from(text, "utf8");
    if (fresh.size === 0) return { type: "put", key: stampEntry(file), value: value(`${stamp} ${now}`) };
    const keys = new Map([...this.#files.content(file).keys, ...sealGroupKeys(this.#master, fresh)]);
    await this.#files.replace(file, { stamp, before: now, ends: over.size > 0, keys });
    return { type: "put", key: stampEntry(file), value: value(stamp) };
  }

  /** Destroys the keys that no record needs any more; called once the table has the change durably. */
  async finish({ over, files }: OwnChange): Promise<void> {
    for (const [file, { stamp, groups }] of over) {
      const keys = new Map([...this.#files.content(file).keys].filter(([group]) => !groups.has(group)));
      await this.#files.replace(file, { ...NO_FILE, stamp, keys });
    }
    for (const file of files) this.#unsettled.delete(file);
  }
}
