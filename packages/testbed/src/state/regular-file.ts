import { closeSync, constants, fstatSync, openSync, readSync } from "node:fs";
import { LaunchError } from "../launch-error.ts";
import { systemErrorCode } from "./system-error-code.ts";

/** Maximum size in bytes; a certificate, a key or a passphrase takes less than a tenth of this. */
export const BYTES_MAX = 65_536;

/** Flags for opening a file where an attacker may write: do not follow a link, and do not wait for a pipe. */
export const THIS_ALONE = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK;
const REMEDY = "Put the file itself there, or remove it.";

const openIfThere = (file: string): number | undefined => {
  try {
    return openSync(file, THIS_ALONE);
  } catch (error) {
    const code = systemErrorCode(error);
    if (code === "ENOENT" || code === "ENOTDIR") return undefined;
    // a link fails with ELOOP, a socket with ENXIO
    if (code === "ELOOP" || code === "ENXIO") throw new LaunchError(`${file} is no regular file`, REMEDY);
    throw new LaunchError(`${file} cannot be read: ${String(error)}`, "Let this process read it.");
  }
};

/**
 * Reads a small file in a folder where an attacker may write. Rejects with a LaunchError if it is a link, a pipe, a
 * folder or otherwise not a regular file, or too long.
 *
 * @returns undefined if there is no such file
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
