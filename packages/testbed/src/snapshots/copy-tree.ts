import {
  chmodSync,
  constants,
  copyFileSync,
  lchownSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readlinkSync,
  realpathSync,
  type Stats,
  symlinkSync,
} from "node:fs";
import { dirname, isAbsolute, join, relative, resolve, sep } from "node:path";
import { LaunchError } from "../launch-error.ts";

const PERMISSIONS = 0o7777;
const OWNER_ONLY = 0o700;

/** Root alone can give files away: PostgreSQL's belong to another user then. */
const giveTo = (path: string, { uid, gid }: Stats): void => {
  if (process.getuid?.() === 0) lchownSync(path, uid, gid);
};

/** Copies a link within a folder. @throws LaunchError for one to somewhere else, whose target would not be copied */
const copyLink = (root: string, from: string, to: string): void => {
  const target = readlinkSync(from);
  const [first] = relative(root, resolve(dirname(from), target)).split(sep);
  if (isAbsolute(target) || first === "..") {
    throw new LaunchError(
      `${from} is a link to ${target}, which would not go with the rest`,
      "Put its target in its place, and give the command again.",
    );
  }
  symlinkSync(target, to);
};

/**
 * Copies a folder with the owners and permissions of all that is in it. Links within it stay links; sockets are left out.
 * @param to does not exist
 * @returns bytes of files. Throws a LaunchError for a link that leads out of the folder
 */
export const copyTree = (from: string, to: string): number => {
  const root = realpathSync(from);
  return copyEntry(root, root, to);
};

const copyEntry = (root: string, from: string, to: string): number => {
  const stats = lstatSync(from);
  if (stats.isSymbolicLink()) {
    copyLink(root, from, to);
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
  const bytes = readdirSync(from).reduce(
    (sum, name) => sum + copyEntry(root, join(from, name), join(to, name)),
    0,
  );
  giveTo(to, stats);
  chmodSync(to, stats.mode & PERMISSIONS);
  return bytes;
};
