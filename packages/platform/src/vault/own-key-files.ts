import { createHash } from "node:crypto";
import { join } from "node:path";
import { z } from "zod";
import type { Disk } from "./disk.ts";
import { replaceKeyFile } from "./key-file.ts";
import { groupsPrefix } from "./own-group.ts";

/** Files of the keys of one record alone: with 100,000 records, each file holds some 400 keys, in 70 KB. */
export const OWN_FILES = 256;
/** Files whose content stays in memory: keys in them are sealed still. */
const FILES_REMEMBERED = 16;

/** The header of a file. */
export interface FileStamp {
  /** drawn anew at each change; empty in what an older version wrote, and where there is no file */
  readonly stamp: string;
  /** of the file that a change took as it was: the change may not have reached the table; absent once it is known to have */
  readonly before?: string | undefined;
  /** whether keys in it are to be destroyed once the change has reached the table */
  readonly ends: boolean;
}

export interface OwnKeyFile extends FileStamp {
  /** encrypted keys by group */
  readonly keys: ReadonlyMap<string, Uint8Array>;
}

export const NO_FILE: FileStamp = { stamp: "", ends: false };
const NO_KEYS: OwnKeyFile["keys"] = new Map();

const STAMP = "[0-9a-f]*";
/** The first bytes of a file, so that a start need not read all keys in it. */
const HEAD = new RegExp(`^\\{"stamp":"(${STAMP})",(?:"before":"(${STAMP})",)?"ends":(true|false),"keys":\\{`);

const stampSchema = z.string().regex(new RegExp(`^${STAMP}$`));
const keysSchema = z.record(z.string(), z.string());
const fileSchema = z.strictObject({
  stamp: stampSchema,
  before: stampSchema.optional(),
  ends: z.boolean(),
  keys: keysSchema,
});
/** Older versions wrote the keys alone. */
const olderSchema = keysSchema.transform((keys) => ({ ...NO_FILE, keys }));

const bytesOf = (keys: Readonly<Record<string, string>>): Map<string, Uint8Array> =>
  new Map(
    Object.entries(keys).map(([group, sealed]) => [group, new Uint8Array(Buffer.from(sealed, "base64"))]),
  );

/** The number of the file in which the keys of a record lie: all that it ever has. */
export const fileOfRecord = (record: string): number =>
  createHash("sha256").update(groupsPrefix(record)).digest().readUInt8(0);

const nameOf = (file: number): string => `group-keys-${file.toString(16).padStart(2, "0")}.json`;

const headOf = (text: string): FileStamp | undefined => {
  const [, stamp, before, ends] = HEAD.exec(text) ?? [];
  return stamp === undefined ? undefined : { stamp, before, ends: ends === "true" };
};

/** @throws when the text is not that of a file of keys */
const contentOf = (text: string): OwnKeyFile => {
  const json: unknown = JSON.parse(text);
  const { keys, ...stamp } = HEAD.test(text) ? fileSchema.parse(json) : olderSchema.parse(json);
  return { ...stamp, keys: bytesOf(keys) };
};

/**
 * The files of the keys of single records. Each is read when a key in it is needed. A change rewrites the files that hold the
 * changed keys, so that its cost hardly grows with the number of all keys.
 */
export class OwnKeyFiles {
  readonly #folder: string;
  readonly #disk: Disk;
  /** the longest unused first */
  readonly #remembered = new Map<number, OwnKeyFile>();

  constructor(folder: string, disk: Disk) {
    this.#folder = folder;
    this.#disk = disk;
  }

  #path(file: number): string {
    return join(this.#folder, nameOf(file));
  }

  /** The header of the file with this number; undefined when an older version wrote it without one. */
  stampOf(file: number): FileStamp | undefined {
    const text = this.#disk.readNow(this.#path(file));
    return text === undefined ? NO_FILE : headOf(text);
  }

  /** @throws when the file is not one of keys: then none in it is known */
  content(file: number): OwnKeyFile {
    const known = this.#remembered.get(file);
    if (known !== undefined) {
      this.#remember(file, known);
      return known;
    }
    const text = this.#disk.readNow(this.#path(file));
    const content = text === undefined ? { ...NO_FILE, keys: NO_KEYS } : contentOf(text);
    this.#remember(file, content);
    return content;
  }

  #remember(file: number, content: OwnKeyFile): void {
    this.#remembered.delete(file);
    this.#remembered.set(file, content);
    const [longest] = this.#remembered.keys();
    if (longest !== undefined && this.#remembered.size > FILES_REMEMBERED) this.#remembered.delete(longest);
  }

  /** The file has this content, durably, when it resolves; nobody finds the keys that it had before and has no more. */
  async replace(file: number, { stamp, before, ends, keys }: OwnKeyFile): Promise<void> {
    const sealed = [...keys].map(([group, key]) => [group, Buffer.from(key).toString("base64")] as const);
    const json = { stamp, before, ends, keys: Object.fromEntries(sealed) };
    try {
      await replaceKeyFile(this.#disk, this.#path(file), JSON.stringify(json));
    } finally {
      this.#remembered.delete(file); // somebody may have read it meanwhile
    }
    this.#remember(file, { stamp, before, ends, keys });
  }
}
