import { join } from "node:path";
import { DISK, type Disk } from "./disk.ts";
import { readKeyFile, replaceKeyFile, textOfKeys, tidyKeyFiles } from "./key-file.ts";
import { memoryDisk } from "./memory-disk.ts";
import { OWN_FILES, OwnKeyFiles } from "./own-key-files.ts";

/** Stores the encrypted keys of record groups, apart from the records: to destroy a key, one small file is overwritten. */
export interface GroupKeyStore {
  /** Returns the encrypted keys of all groups. */
  read(): Promise<ReadonlyMap<string, Uint8Array>>;
  /** Returns the encrypted keys of groups of several records. */
  shared(): Promise<ReadonlyMap<string, Uint8Array>>;
  /**
   * Adds keys of groups of several records and removes others; all changes are on disk when it resolves. After a crash
   * each key is either as it was, or changed.
   */
  change(added: ReadonlyMap<string, Uint8Array>, removed: readonly string[]): Promise<void>;
  /** Returns the files of keys that belong to one record each; they may be read once this resolves. */
  own(): Promise<OwnKeyFiles>;
}

/** A store in memory, for tests. */
export const memoryGroupKeys = (): GroupKeyStore => groupKeysIn("/", memoryDisk());

/** The keys of groups of several records. */
const SHARED_FILE = "group-keys.json";

/** The group keys of the store in a folder: files next to those of LevelDB, which ignores them. */
export const groupKeysIn = (folder: string, disk: Disk = DISK): GroupKeyStore => {
  const path = join(folder, SHARED_FILE);
  const ownFiles = new OwnKeyFiles(folder, disk);
  let held: Map<string, Uint8Array> | undefined;
  let isTidy: Promise<void> | undefined;
  const tidied = (): Promise<void> => {
    isTidy ??= tidyKeyFiles(disk, folder);
    return isTidy;
  };
  const content = async (): Promise<Map<string, Uint8Array>> => {
    await tidied();
    held ??= await readKeyFile(disk, path);
    return held;
  };
  return {
    read: async () => {
      await tidied();
      held = undefined;
      const own = Array.from({ length: OWN_FILES }, (_, file) => [...ownFiles.content(file).keys]);
      return new Map([...(await content()), ...own.flat()]);
    },
    shared: async () => new Map(await content()),
    change: async (added, removed) => {
      const keys = await content();
      const known = removed.filter((group) => keys.delete(group));
      for (const [group, sealed] of added) keys.set(group, sealed);
      if (known.length + added.size > 0) await replaceKeyFile(disk, path, textOfKeys(keys));
    },
    own: async () => {
      await tidied();
      return ownFiles;
    },
  };
};
