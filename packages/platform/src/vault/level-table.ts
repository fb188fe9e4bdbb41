import { fail, ok, type Result } from "@conclave/custody";
import { ClassicLevel } from "classic-level";
import type { Table } from "./table.ts";

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
