import { link, open, readFile, rename, rm, stat } from "node:fs/promises";
import { dirname, join } from "node:path";
import { z } from "zod";

/** Where the sealed keys of record groups lie: apart from the records, so that one small file is all there is to destroy. */
export interface GroupKeyStore {
  /** sealed keys by group */
  read(): Promise<ReadonlyMap<string, Uint8Array>>;
  /** Takes the place of all that was there before; on disk when it resolves. */
  write(keys: ReadonlyMap<string, Uint8Array>): Promise<void>;
}

const fileSchema = z.record(z.string(), z.base64());

/** In memory, for tests. */
export const memoryGroupKeys = (): GroupKeyStore => {
  let held: ReadonlyMap<string, Uint8Array> = new Map();
  return {
    read: async () => held,
    write: async (keys) => {
      held = new Map(keys);
    },
  };
};

/** Overwrites the bytes of a file with zeros: what was there is not left on a disk that writes in place. */
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

/** Only a file that is not there holds no keys: one that cannot be read now must not have its records thrown away. */
const noneYet = (error: unknown): string => {
  if (error instanceof Error && "code" in error && error.code === "ENOENT") return "{}";
  throw error;
};

const inodeOf = async (path: string): Promise<number | undefined> =>
  (await stat(path).catch(() => undefined))?.ino;

/** What a crash left: keys that were shredded, or will be; or, before the last step of a change, a second name of ours. */
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
 * In a file. A change copies the old file's name away, puts the new file in its place in one step, and overwrites the old
 * one's bytes: a crash at any moment leaves the one or the other whole.
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
    await link(path, old).catch(() => undefined); // there is none at first
    await rename(next, path);
    await syncFolder(path);
    await blank(old);
  },
});

/** The group keys of the store in a folder: a file beside LevelDB's own, which leaves it alone. */
export const groupKeysIn = (folder: string): GroupKeyStore => fileGroupKeys(join(folder, "group-keys.json"));
