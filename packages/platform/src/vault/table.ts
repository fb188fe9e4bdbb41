import { fail, ok, type Result } from "@conclave/custody";
import { ClassicLevel } from "classic-level";

/** One change of a batch. */
export type TableChange =
  | { readonly type: "put"; readonly key: string; readonly value: Uint8Array }
  | { readonly type: "del"; readonly key: string };

/** The table below a vault: names in order, with bytes as values. LevelDB on disk, memory-level in tests. */
export interface Table {
  get(name: string): Promise<Uint8Array | undefined>;
  /** As `get`, synchronously: for decisions before which nothing else may happen. */
  getSync(name: string): Uint8Array | undefined;
  put(name: string, value: Uint8Array, options: { readonly sync: boolean }): Promise<void>;
  del(name: string, options: { readonly sync: boolean }): Promise<void>;
  /** Applies all changes or none. */
  batch(changes: TableChange[], options: { readonly sync: boolean }): Promise<void>;
  iterator(range: {
    readonly gte: string;
    readonly lt: string;
    readonly limit?: number;
  }): AsyncIterable<[string, Uint8Array]>;
  close(): Promise<void>;
}

/** The end of the range of names that begin with a prefix. */
export const afterPrefix = (prefix: string): string => `${prefix}\u{10ffff}`;

/** A signer's records are small and rarely read again; LevelDB's defaults are meant for larger tables. */
const CACHE_BYTES = 1024 * 1024;
const WRITE_BUFFER_BYTES = 1024 * 1024;
/** files of some 2 MB each: in a store of half a gigabyte, a lookup of old records reopens no file */
const OPEN_FILES_MAX = 256;

const reasonOf = (error: unknown): { readonly reason: string; readonly words: string } => {
  const cause = error instanceof Error ? error.cause : undefined;
  return cause instanceof Error && "code" in cause
    ? { reason: String(cause.code), words: cause.message }
    : { reason: "", words: "" };
};

/** Node's error codes of a disk that fails before LevelDB has begun. */
const DISK_CODES: readonly string[] = ["ENOSPC", "EDQUOT", "EIO", "EROFS"];

/** Whether the disk is full or fails. A missing file is no failure of the disk. */
const isOfDisk = (reason: string, words: string): boolean =>
  DISK_CODES.includes(reason) || (reason === "LEVEL_IO_ERROR" && !words.includes("No such file"));

/**
 * Opens the table in a folder, and creates it if there is none.
 *
 * @returns outage StoreLocked while another process holds it, or StoreUnusable while its disk is full; refusal StoreDamaged if it
 *   cannot be read
 */
export const openTable = async (folder: string): Promise<Result<Table>> => {
  const table = new ClassicLevel<string, Uint8Array>(folder, {
    keyEncoding: "utf8",
    valueEncoding: "view",
    cacheSize: CACHE_BYTES,
    writeBufferSize: WRITE_BUFFER_BYTES,
    maxOpenFiles: OPEN_FILES_MAX,
  });
  try {
    await table.open();
    return ok(table);
  } catch (error) {
    const { reason, words } = reasonOf(error);
    if (reason === "LEVEL_LOCKED") {
      return fail("StoreLocked", { folder }, `Another process holds the store in ${folder}.`);
    }
    if (isOfDisk(reason, words)) {
      // not StoreDamaged: an operator would then restore an old copy, in which spent presignatures are ready (INV-2)
      return fail("StoreUnusable", { folder, reason }, `The store in ${folder} cannot be opened: ${words}.`);
    }
    return fail("StoreDamaged", { folder, reason }, `The store in ${folder} cannot be opened.`);
  }
};
