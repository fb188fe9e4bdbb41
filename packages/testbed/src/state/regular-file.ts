import { closeSync, constants, fstatSync, openSync, readSync } from "node:fs";
import { LaunchError } from "../launch-error.ts";
import { systemErrorCode } from "./system-error-code.ts";

/** A certificate, a key or a passphrase takes less than a tenth of that. */
export const BYTES_MAX = 65_536;

/** How a file is opened by name where somebody hostile may write: a link is not followed, and a pipe not waited for. */
export const THIS_ALONE = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK;
const REMEDY = "Put the file itself there, or remove it.";

const openIfThere = (file: string): number | undefined => {
  try {
    return openSync(file, THIS_ALONE);
  } catch (error) {
    const code = systemErrorCode(error);
    if (code === "ENOENT" || code === "ENOTDIR") return undefined;
    // a link is ELOOP, a socket ENXIO
    if (code === "ELOOP" || code === "ENXIO") throw new LaunchError(`${file} is no regular file`, REMEDY);
    throw new LaunchError(`${file} cannot be read: ${String(error)}`, "Let this process read it.");
  }
};

/**
 * Reads a small file of a folder into which somebody hostile may write. Rejects with a LaunchError if it is a link, a pipe, a folder or
 * anything else that is no regular file, or too long.
 *
 * @returns undefined if nothing has this name
 */
export const regularText = (file: string): string | undefined => {
  const descriptor = openIfThere(file);
  if (descriptor === undefined) return undefined;
  try {
    if (!fstatSync(descriptor).isFile()) throw new LaunchError(`${file} is no regular file`, REMEDY);
    const bytes = Buffer.alloc(BYTES_MAX + 1);
    const length = readSync(descriptor, bytes, 0, bytes.length, 0);
    if (length > BYTES_MAX) throw new LaunchError(`${file} has more than ${BYTES_MAX} bytes`, REMEDY);
    return bytes.subarray(0, length).toString("utf8");
  } finally {
    closeSync(descriptor);
  }
};
