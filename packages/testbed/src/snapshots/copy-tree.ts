import {
  chmodSync,
  constants,
  copyFileSync,
  lchownSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readlinkSync,
  type Stats,
  symlinkSync,
} from "node:fs";
import { join } from "node:path";

const PERMISSIONS = 0o7777;
const OWNER_ONLY = 0o700;

/** Root alone can give files away: PostgreSQL's belong to another user then. */
const giveTo = (path: string, { uid, gid }: Stats): void => {
  if (process.getuid?.() === 0) lchownSync(path, uid, gid);
};

/**
 * Copies a folder with the owners and permissions of all that is in it. Links stay links; sockets are left out.
 * @param to does not exist
 * @returns bytes of files
 */
export const copyTree = (from: string, to: string): number => {
  const stats = lstatSync(from);
  if (stats.isSymbolicLink()) {
    symlinkSync(readlinkSync(from), to);
    giveTo(to, stats);
    return 0;
  }
  if (stats.isFile()) {
    // where the file system can, the copy shares its blocks
    copyFileSync(from, to, constants.COPYFILE_FICLONE | constants.COPYFILE_EXCL);
    giveTo(to, stats);
    chmodSync(to, stats.mode & PERMISSIONS);
    return stats.size;
  }
  if (!stats.isDirectory()) return 0;
  mkdirSync(to, { mode: OWNER_ONLY });
  const bytes = readdirSync(from).reduce((sum, name) => sum + copyTree(join(from, name), join(to, name)), 0);
  giveTo(to, stats);
  chmodSync(to, stats.mode & PERMISSIONS);
  return bytes;
};
