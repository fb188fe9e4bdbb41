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
 * Names of the entries that hold the group of a record that has one of its own. Versions that know only the groups of several do
 * not find it: they find the record damaged and refuse to start, where they would remove a record of a group whose key they do
 * not see.
 */
const MEMBERS = "vault/1/own-member/";
/**
 * Names of the entries that hold, for each file of keys, the stamp of the last change that reached the table. Where that change
 * only destroys keys, the stamp before follows: the file may bear it still.
 */
const STAMPS = "vault/1/own-stamp/";
/** Present once every file and the table were found to agree: older versions wrote no stamps. */
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
 * - settled: the file and the table are of one moment.
 * - interrupted: a change was under way between them. It may have left keys that no record needs, and lacks none.
 * - strange: one of them is of another day. Keys may be missing.
 */
const fateOf = (
  { now, before }: Known,
  file: FileStamp | undefined,
): "settled" | "interrupted" | "strange" => {
  if (file === undefined) return "strange"; // a version before wrote it
  if (file.stamp === now) return file.ends ? "interrupted" : "settled";
  const isUnderWay = file.before === now || (before !== undefined && file.stamp === before);
  return isUnderWay ? "interrupted" : "strange";
};

/** The changes of a batch in one file. */
interface FileChange {
  readonly fresh: Map<string, Secret<Uint8Array>>;
  /** groups whose keys go */
  readonly over: Set<string>;
}

/** A change whose new keys are durable, and whose old ones are to be destroyed once the table has its changes. */
export interface OwnChange {
  /** the group that each written record has from now on, and its key */
  readonly written: ReadonlyMap<string, { readonly group: string; readonly key: Secret<Uint8Array> }>;
  /** to be put into the table, synced, in one batch with the records */
  readonly changes: readonly TableChange[];
  readonly over: ReadonlyMap<number, { readonly stamp: string; readonly groups: ReadonlySet<string> }>;
  readonly files: readonly number[];
}

/**
 * Keys of records that have one alone. Nothing of them is in memory: a key is read when its record is. A key is durable before its
 * record. It is destroyed only after the record is durably gone or under another key.
 *
 * A crash in between leaves a key that no record needs. Which files hold such keys, a start sees by stamps: each change gives its
 * files and the table the same one, in this order. So a start reads no key, unless a crash interrupted a change; it then looks
 * through the files of that change alone. By the stamps it also sees files that are not of the table's moment.
 */
export class OwnKeys {
  readonly #table: Table;
  readonly #master: Secret<Uint8Array>;
  readonly #files: OwnKeyFiles;
  /** files in which there may be keys that no record needs */
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
   * @returns refusal StoreDamaged if the key of a record is missing in a file that is not of the table's moment
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
    // the table and the files of keys are not of one moment: the right ones may still come back
    const message = `The files of keys beside the store lack the key of the record ${lacking}.`;
    return lacking === undefined ? ok(keys) : fail("StoreDamaged", { record: lacking }, message);
  }

  /** A record whose key is in none of some files; undefined if there is none. */
  async #lacking(strange: ReadonlySet<number>): Promise<string | undefined> {
    const held = new Set([...strange].flatMap((file) => [...this.#files.content(file).keys.keys()]));
    for await (const [name, bytes] of this.#table.iterator({ gte: MEMBERS, lt: afterPrefix(MEMBERS) })) {
      const group = textOf(bytes);
      if (strange.has(fileOfGroup(group)) && !held.has(group)) return name.slice(MEMBERS.length);
    }
    return undefined;
  }

  /** Destroys what interrupted changes left; afterwards all files are of the table's moment. */
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

  /** Of a file with keys and no stamp, a start could not tell that it was lost, or is of another day: it gets its first. */
  async #stampFile(file: number, keys: OwnKeyFile["keys"]): Promise<void> {
    const stamp = newStamp();
    await this.#files.replace(file, { stamp, before: "", ends: false, keys });
    await this.#table.put(stampEntry(file), Buffer.from(stamp, "utf8"), { sync: true });
  }

  /** The group of a record's own; undefined when it has none. */
  groupOf(record: string): string | undefined {
    const group = this.#table.getSync(MEMBERS + record);
    return group && textOf(group);
  }

  /** Records so that those whose keys lie in one file come together: then each file is read once for all of them. */
  inOrderOfFiles<T extends { readonly record: string }>(records: readonly T[]): readonly T[] {
    const placed = records.map((each) => ({ each, file: fileOfRecord(each.record) }));
    return placed.sort((one, other) => one.file - other.file).map(({ each }) => each);
  }

  /** The key of a group; undefined when it is not there, or was altered. */
  keyOf(group: string): Secret<Uint8Array> | undefined {
    const sealed = this.#files.content(fileOfGroup(group)).keys.get(group);
    return sealed && unsealGroupKey(this.#master, group, sealed);
  }

  /**
   * Makes keys for records that are about to be written; they are durable when this resolves.
   *
   * @param written records that get a new group of their own
   * @param left records that have none from now on
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

  /** @returns the table change that says of the file that this change was made */
  async #beginFile(file: number, stamp: string, { fresh, over }: FileChange): Promise<TableChange> {
    if (this.#unsettled.has(file)) await this.#settleFile(file); // a change before failed
    this.#unsettled.add(file);
    const { now } = readKnown(await this.#table.get(stampEntry(file)));
    const value = (text: string): Uint8Array => Buffer.from(text, "utf8");
    if (fresh.size === 0) return { type: "put", key: stampEntry(file), value: value(`${stamp} ${now}`) };
    const keys = new Map([...this.#files.content(file).keys, ...sealGroupKeys(this.#master, fresh)]);
    await this.#files.replace(file, { stamp, before: now, ends: over.size > 0, keys });
    return { type: "put", key: stampEntry(file), value: value(stamp) };
  }

  /** The table has the change, durably: keys that no record needs any more are destroyed. */
  async finish({ over, files }: OwnChange): Promise<void> {
    for (const [file, { stamp, groups }] of over) {
      const keys = new Map([...this.#files.content(file).keys].filter(([group]) => !groups.has(group)));
      await this.#files.replace(file, { ...NO_FILE, stamp, keys });
    }
    for (const file of files) this.#unsettled.delete(file);
  }
}
