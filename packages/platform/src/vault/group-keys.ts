import { link, open, readFile, rename, rm, stat } from "node:fs/promises";
import { dirname, join } from "node:path";
import { z } from "zod";

/** Stores the encrypted keys of record groups, apart from the records: to destroy a key, one small file is overwritten. */
export interface GroupKeyStore {
  /** Returns the encrypted keys by group. */
  read(): Promise<ReadonlyMap<string, Uint8Array>>;
  /** Replaces all stored keys; they are on disk when it resolves. */
  write(keys: ReadonlyMap<string, Uint8Array>): Promise<void>;
}

const fileSchema = z.record(z.string(), z.base64());

/** A store in memory, for tests. */
export const memoryGroupKeys = (): GroupKeyStore => {
  let held: ReadonlyMap<string, Uint8Array> = new Map();
  return {
    read: async () => held,
    write: async (keys) => {
      held = new Map(keys);
    },
  };
};

/** Overwrites a file with zeros, so that a disk that writes in place keeps nothing of it. */
const blank = async (path: string): Promise<void> => {
  const file = await open(path, "r+").catch(() => undefined);
  if (file === undefined) return;
  try {
    const { size } = await file.stat();
    await file.write(new Uint8Array(size), 0, size, 0);
    await file.sync();
  } finally {
    await file.close();
  }
};

/** Only a missing file means that there are no keys. Any other read error is thrown: the records must not be discarded. */
const noneYet = (error: unknown): string => {
  if (error instanceof Error && "code" in error && error.code === "ENOENT") return "{}";
  throw error;
};

const inodeOf = async (path: string): Promise<number | undefined> =>
  (await stat(path).catch(() => undefined))?.ino;

/**
 * Removes what a crash left of a change. If the file is still a second name of the current file, or there is no current file,
 * only the name is removed. Otherwise it holds keys that are to be destroyed, and is overwritten.
 */
const blankLeft = async (left: string, path: string): Promise<void> => {
  const own = await inodeOf(path);
  if (own === undefined || (await inodeOf(left)) === own) await rm(left, { force: true });
  else await blank(left);
};

const writeSynced = async (path: string, text: string): Promise<void> => {
  const file = await open(path, "w", 0o600);
  try {
    await file.writeFile(text);
    await file.sync();
  } finally {
    await file.close();
  }
};

const syncFolder = async (path: string): Promise<void> => {
  const folder = await open(dirname(path), "r");
  try {
    await folder.sync();
  } finally {
    await folder.close();
  }
};

/**
 * A store in a file. A change links the old file to a second name, renames the new file into its place, and overwrites the old
 * file's bytes. A crash at any moment leaves either the old or the new file complete.
 */
const fileGroupKeys = (path: string): GroupKeyStore => ({
  read: async () => {
    for (const left of [`${path}.next`, `${path}.old`]) await blankLeft(left, path);
    const text = await readFile(path, "utf8").catch(noneYet);
    const entries = Object.entries(fileSchema.parse(JSON.parse(text)));
    return new Map(entries.map(([group, sealed]) => [group, new Uint8Array(Buffer.from(sealed, "base64"))]));
  },
  write: async (keys) => {
    const entries = [...keys].map(([group, sealed]) => [group, Buffer.from(sealed).toString("base64")]);
    const [next, old] = [`${path}.next`, `${path}.old`];
    await writeSynced(next, JSON.stringify(Object.fromEntries(entries)));
    await rm(old, { force: true });
    await link(path, old).catch(() => undefined); // at first there is no file
    await rename(next, path);
    await syncFolder(path);
    await blank(old);
  },
});

/** The group keys of the store in a folder: a file beside the files of LevelDB, which ignores it. */
export const groupKeysIn = (folder: string): GroupKeyStore => fileGroupKeys(join(folder, "group-keys.json"));
