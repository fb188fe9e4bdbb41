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

/** Makes all writes to a file or folder durable. */
const sync = (path: string): void => withOpen(path, fsyncSync);

/** Makes the files in a folder, and their names, durable. */
export const syncFolder = (folder: string): void => {
  for (const name of readdirSync(folder)) {
    const path = join(folder, name);
    if (lstatSync(path).isFile()) sync(path);
  }
  sync(folder);
};

/**
 * Writes a public file atomically and durably: a crash, even of the machine, leaves either the old or the new file,
 * complete.
 */
export const writeSynced = (file: string, content: string): void => {
  replaceFile(file, content, PUBLIC_MODE, fsyncSync);
  sync(dirname(file));
};

/**
 * Moves a public file over another in the same folder, durably: a crash leaves either file complete, even if the moved
 * file's writer did not sync it.
 */
export const moveSynced = (from: string, to: string): void => {
  withOpen(from, (descriptor) => {
    if ((fstatSync(descriptor).mode & MODE_BITS) !== PUBLIC_MODE) fchmodSync(descriptor, PUBLIC_MODE);
    fsyncSync(descriptor);
  });
  renameSync(from, to);
  sync(dirname(to));
};

/** Removes a file durably: a crash does not bring it back. */
export const removeSynced = (file: string): void => {
  unlinkSync(file);
  sync(dirname(file));
};
