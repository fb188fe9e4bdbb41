import { createHash } from "node:crypto";
import { join } from "node:path";
import { DISK, type Disk } from "./disk.ts";
import { readKeyFile, replaceKeyFile } from "./key-file.ts";
import { isOwnGroup, withoutSuffix } from "./own-group.ts";

/** Stores the encrypted keys of record groups, apart from the records: to destroy a key, one small file is overwritten. */
export interface GroupKeyStore {
  /** Returns the encrypted keys by group. */
  read(): Promise<ReadonlyMap<string, Uint8Array>>;
  /** Adds keys and removes others; all of it is on disk when it resolves. A crash leaves each key as it was, or changed. */
  change(added: ReadonlyMap<string, Uint8Array>, removed: readonly string[]): Promise<void>;
}

/** A store in memory, for tests. */
export const memoryGroupKeys = (): GroupKeyStore => {
  const held = new Map<string, Uint8Array>();
  return {
    read: async () => new Map(held),
    change: async (added, removed) => {
      for (const [group, sealed] of added) held.set(group, sealed);
      for (const group of removed) held.delete(group);
    },
  };
};

/** The keys of groups of several records. */
const SHARED_FILE = "group-keys.json";
/** Files of the keys of one record alone: with 100,000 records, each file holds some 400 keys, in 70 KB. */
const OWN_FILES = 256;

/** @param byte the first of a hash */
const ownFile = (byte: number): string => `group-keys-${byte.toString(16).padStart(2, "0")}.json`;

const ALL_FILES: readonly string[] = [
  SHARED_FILE,
  ...Array.from({ length: OWN_FILES }, (_, byte) => ownFile(byte)),
];

/** A record's keys, the one before and the one after, lie in one file. */
const fileOf = (group: string): string => {
  if (!isOwnGroup(group)) return SHARED_FILE;
  return ownFile(createHash("sha256").update(withoutSuffix(group)).digest().readUInt8(0));
};

/**
 * The group keys of the store in a folder: files beside the files of LevelDB, which ignores them. A change rewrites those
 * that hold the changed keys, so that its cost does not grow with the number of all keys.
 */
export const groupKeysIn = (folder: string, disk: Disk = DISK): GroupKeyStore => {
  const files = new Map<string, Map<string, Uint8Array>>();
  const contentOf = async (file: string): Promise<Map<string, Uint8Array>> => {
    const content = files.get(file) ?? (await readKeyFile(disk, join(folder, file)));
    files.set(file, content);
    return content;
  };
  return {
    read: async () => {
      files.clear();
      const contents = await Promise.all(ALL_FILES.map(contentOf));
      return new Map(contents.flatMap((content) => [...content]));
    },
    change: async (added, removed) => {
      const changed = new Set<string>();
      for (const [group, sealed] of added) {
        (await contentOf(fileOf(group))).set(group, sealed);
        changed.add(fileOf(group));
      }
      for (const group of removed) {
        const isKnown = (await contentOf(fileOf(group))).delete(group);
        if (isKnown) changed.add(fileOf(group));
      }
      for (const file of changed) await replaceKeyFile(disk, join(folder, file), await contentOf(file));
    },
  };
};
