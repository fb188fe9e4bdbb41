import type { Disk } from "./disk.ts";

/** A disk in memory, for tests. */
export const memoryDisk = (): Disk => {
  const files = new Map<string, string>();
  const none = async (): Promise<void> => undefined;
  return {
    read: async (path) => files.get(path),
    readNow: (path) => files.get(path),
    names: async (folder) => [...files.keys()].map((path) => path.slice(folder.length)),
    inodeOf: async () => undefined,
    write: async (path, text) => {
      files.set(path, text);
    },
    blank: none,
    link: none,
    rename: async (from, to) => {
      const text = files.get(from);
      if (text === undefined) throw new Error(`there is no file ${from}`);
      files.set(to, text);
      files.delete(from);
    },
    remove: async (path) => {
      files.delete(path);
    },
    syncFolder: none,
  };
};
