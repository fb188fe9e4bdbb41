import { readFileSync } from "node:fs";
import { link, open, readdir, readFile, rename, rm, stat } from "node:fs/promises";
import { dirname } from "node:path";

/** File operations of the vault. A test's disk may fail at each. */
export interface Disk {
  /** @returns undefined only if there is no file; any other error is thrown, so that content is never taken for lost */
  read(path: string): Promise<string | undefined>;
  /** The same, synchronously. */
  readNow(path: string): string | undefined;
  /** The names in a folder; none if there is no folder. */
  names(folder: string): Promise<readonly string[]>;
  inodeOf(path: string): Promise<number | undefined>;
  /** Creates or replaces the file; when it resolves, its content is durable and its name is not. */
  write(path: string, text: string): Promise<void>;
  /**
   * Overwrites a file with zeros, durably, so that a disk that writes in place keeps none of its content; does nothing
   * if there is no file.
   */
  blank(path: string): Promise<void>;
  /** Gives a file a second name (a hard link); does nothing if there is no file, or the file system has no hard links. */
  link(path: string, second: string): Promise<void>;
  rename(from: string, to: string): Promise<void>;
  remove(path: string): Promise<void>;
  /** Makes the names in the path's folder durable. */
  syncFolder(path: string): Promise<void>;
}

/** The error codes of a file system without hard links, on which replaced files cannot be overwritten. */
const NO_LINKS: readonly unknown[] = ["EPERM", "ENOTSUP", "EOPNOTSUPP", "ENOSYS"];

const codeOf = (error: unknown): unknown =>
  error instanceof Error && "code" in error ? error.code : undefined;

const isMissing = (error: unknown): boolean => codeOf(error) === "ENOENT";

/** @throws errors other than a missing file: the file may then exist, and keys in it would stay readable */
const unlessMissing = (error: unknown): undefined => {
  if (isMissing(error)) return undefined;
  throw error;
};

export const DISK: Disk = {
  read: async (path) => {
    try {
      return await readFile(path, "utf8");
    } catch (error) {
      if (isMissing(error)) return undefined;
      throw error;
    }
  },
  readNow: (path) => {
    try {
      return readFileSync(path, "utf8");
    } catch (error) {
      if (isMissing(error)) return undefined;
      throw error;
    }
  },
  names: async (folder) => {
    try {
      return await readdir(folder);
    } catch (error) {
      if (isMissing(error)) return [];
      throw error;
    }
  },
  inodeOf: async (path) => (await stat(path).catch(unlessMissing))?.ino,
  write: async (path, text) => {
    const file = await open(path, "w", 0o600);
    try {
      await file.writeFile(text);
      await file.sync();
    } finally {
      await file.close();
    }
  },
  blank: async (path) => {
    const file = await open(path, "r+").catch(unlessMissing);
    if (file === undefined) return;
    try {
      const { size } = await file.stat();
      await file.write(new Uint8Array(size), 0, size, 0);
      await file.sync();
    } finally {
      await file.close();
    }
  },
  link: (path, second) =>
    link(path, second).catch((error: unknown) => {
      if (!isMissing(error) && !NO_LINKS.includes(codeOf(error))) throw error;
    }),
  rename,
  remove: (path) => rm(path, { force: true }),
  syncFolder: async (path) => {
    const folder = await open(dirname(path), "r");
    try {
      await folder.sync();
    } finally {
      await folder.close();
    }
  },
};
