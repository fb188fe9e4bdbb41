import {
  closeSync,
  fsyncSync,
  openSync,
  readdirSync,
  renameSync,
  statSync,
  unlinkSync,
  writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";

/** What is written to a file or folder is on the disk once this returns. */
const sync = (path: string): void => {
  const descriptor = openSync(path, "r");
  try {
    fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
};

/** The files in a folder, and their names, are on the disk once this returns. */
export const syncFolder = (folder: string): void => {
  for (const name of readdirSync(folder)) {
    const path = join(folder, name);
    if (statSync(path).isFile()) sync(path);
  }
  sync(folder);
};

/** Writes a file atomically: a crash, of the machine too, leaves the old or the new file complete. */
export const writeSynced = (file: string, content: string): void => {
  const fresh = `${file}.${process.pid}.new`;
  writeFileSync(fresh, content);
  sync(fresh);
  renameSync(fresh, file);
  sync(dirname(file));
};

/** Puts a file, which is on the disk, in the place of another of its folder: a crash leaves the one or the other complete. */
export const moveSynced = (from: string, to: string): void => {
  renameSync(from, to);
  sync(dirname(to));
};

/** Removes a file, and a crash does not bring it back. */
export const removeSynced = (file: string): void => {
  unlinkSync(file);
  sync(dirname(file));
};
