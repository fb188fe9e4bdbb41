import { createHash } from "node:crypto";
import { join } from "node:path";
import { z } from "zod";
import type { Disk } from "./disk.ts";
import { replaceKeyFile } from "./key-file.ts";
import { groupsPrefix } from "./own-group.ts";

/** Number of files for keys of single records: with 100,000 records, each file holds some 400 keys, in 70 KB. */
export const OWN_FILES = 256;
/** Files whose content is kept in memory; the keys in it stay encrypted. */
const FILES_REMEMBERED = 16;

/** The header of a file. */
export interface FileStamp {
  /** drawn anew at each change; empty if an older version wrote the file, or there is no file */
  readonly stamp: string;
  /**
   * stamp of the file that the change replaced, in case the change never reached the table; absent once it is known to
   * have
   */
  readonly before?: string | undefined;
  /** whether the file holds keys that must be destroyed once the change has reached the table */
  readonly ends: boolean;
}

export interface OwnKeyFile extends FileStamp {
  /** encrypted keys by group */
  readonly keys: ReadonlyMap<string, Uint8Array>;
}

export const NO_FILE: FileStamp = { stamp: "", ends: false };
const NO_KEYS: OwnKeyFile["keys"] = new Map();

const STAMP = "[0-9a-f]*";
/** The first bytes of a file, so that a start need not parse all its keys. */
const HEAD = new RegExp(`^\\{"stamp":"(${STAMP})",(?:"before":"(${STAMP})",)?"ends":(true|false),"keys":\\{`);

const stampSchema = z.string().regex(new RegExp(`^${STAMP}$`));
const keysSchema = z.record(z.string(), z.string());
const fileSchema = z.strictObject({
  stamp: stampSchema,
  before: stampSchema.optional(),
  ends: z.boolean(),
  keys: keysSchema,
});
/** The form of older versions: only the keys. */
const olderSchema = keysSchema.transform((keys) => ({ ...NO_FILE, keys }));

const bytesOf = (keys: Readonly<Record<string, string>>): Map<string, Uint8Array> =>
  new Map(
    Object.entries(keys).map(([group, sealed]) => [group, new Uint8Array(Buffer.from(sealed, "base64"))]),
  );

/** The number of the file that holds all keys of a record. */
export const fileOfRecord = (record: string): number =>
  createHash("sha256").update(groupsPrefix(record)).digest().readUInt8(0);

const nameOf = (file: number): string => `group-keys-${file.toString(16).padStart(2, "0")}.json`;

const headOf = (text: string): FileStamp | undefined => {
  const [, stamp, before, ends] = HEAD.exec(text) ?? [];
  return stamp === undefined ? undefined : { stamp, before, ends: ends === "true" };
};

/** @throws if the text is not a file of keys */
const contentOf = (text: string): OwnKeyFile => {
  const json: unknown = JSON.parse(text);
  const { keys, ...stamp } = HEAD.test(text) ? fileSchema.parse(json) : olderSchema.parse(json);
  return { ...stamp, keys: bytesOf(keys) };
};

/**
 * The files of the keys of single records. A file is read when one of its keys is needed. A change rewrites only the
 * files that hold the changed keys, so its cost hardly grows with the number of all keys.
 */
export class OwnKeyFiles {
  readonly #folder: string;
  readonly #disk: Disk;
  /** the least recently used first */
  readonly #remembered = new Map<number, OwnKeyFile>();

  constructor(folder: string, disk: Disk) {
    this.#folder = folder;
    this.#disk = disk;
  }

  #path(file: number): string {
    return join(this.#folder, nameOf(file));
  }

  /** The header of a file; undefined if an older version wrote the file without one. */
  stampOf(file: number): FileStamp | undefined {
    const text = this.#disk.readNow(this.#path(file));
    return text === undefined ? NO_FILE : headOf(text);
  }

  /** @throws if the file is not a file of keys: then none of its keys is known */
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

  /**
   * Writes this content to the file, durably when it resolves; keys that the file no longer has cannot be recovered
   * from the disk.
   */
  async replace(file: number, { stamp, before, ends, keys }: OwnKeyFile): Promise<void> {
    const sealed = [...keys].map(([group, key]) => [group, Buffer.from(key).toString("base64")] as const);
    const json = { stamp, before, ends, keys: Object.fromEntries(sealed) };
    try {
      await replaceKeyFile(this.#disk, this.#path(file), JSON.stringify(json));
    } finally {
      this.#remembered.delete(file); // another call may have read it meanwhile
    }
    this.#remember(file, { stamp, before, ends, keys });
  }
}
