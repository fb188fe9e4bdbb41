import {
  closeSync,
  fchmodSync,
  fstatSync,
  fsyncSync,
  lstatSync,
  openSync,
  readdirSync,
  renameSync,
  unlinkSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { THIS_ALONE } from "./regular-file.ts";
import { PUBLIC_MODE, replaceFile } from "./replaced-file.ts";

const MODE_BITS = 0o777;

const withOpen = (path: string, work: (descriptor: number) => void): void => {
  const descriptor = openSync(path, THIS_ALONE);
  try {
    work(descriptor);
  } finally {
    closeSync(descriptor);
  }
};

/** Writes to a file or folder are on the disk once this returns. */
const sync = (path: string): void => withOpen(path, fsyncSync);

/** The files in a folder, and their names, are on the disk once this returns. */
export const syncFolder = (folder: string): void => {
  for (const name of readdirSync(folder)) {
    const path = join(folder, name);
    if (lstatSync(path).isFile()) sync(path);
  }
  sync(folder);
};

/** Writes a file atomically that anybody may read: a crash, of the machine too, leaves the old or the new file complete. */
export const writeSynced = (file: string, content: string): void => {
  replaceFile(file, content, PUBLIC_MODE, fsyncSync);
  sync(dirname(file));
};

/**
 * Puts a file that anybody may read in the place of another of its folder: a crash leaves the one or the other complete, also if the file
 * was written by something that did not wait for the disk.
 */
export const moveSynced = (from: string, to: string): void => {
  withOpen(from, (descriptor) => {
    if ((fstatSync(descriptor).mode & MODE_BITS) !== PUBLIC_MODE) fchmodSync(descriptor, PUBLIC_MODE);
    fsyncSync(descriptor);
  });
  renameSync(from, to);
  sync(dirname(to));
};

/** Removes a file, and a crash does not bring it back. */
export const removeSynced = (file: string): void => {
  unlinkSync(file);
  sync(dirname(file));
};
