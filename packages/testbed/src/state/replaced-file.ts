import { randomBytes } from "node:crypto";
import { closeSync, fchmodSync, openSync, renameSync, rmSync, writeFileSync } from "node:fs";

/** The mode of a file that anybody may read and its owner may write. */
export const PUBLIC_MODE = 0o644;

/**
 * Writes a file atomically, and replaces whatever has its name: a crash leaves either the old or the new file, complete.
 * An attacker may be able to write into the folder. So the new file gets an unguessable name, is never written through a
 * link, and replaces a link in its place instead of following it.
 *
 * @param mode the mode of the new file, whatever the process's umask and the old file's mode are
 * @param written called with the new file's descriptor before the file takes its place
 */
export const replaceFile = (
  file: string,
  content: string | Uint8Array,
  mode: number,
  written: (descriptor: number) => void = () => undefined,
): void => {
  const fresh = `${file}.${randomBytes(16).toString("hex")}.new`;
  const descriptor = openSync(fresh, "wx", mode);
  try {
    try {
      writeFileSync(descriptor, content);
      fchmodSync(descriptor, mode);
      written(descriptor);
    } finally {
      closeSync(descriptor);
    }
    renameSync(fresh, file);
  } catch (error) {
    rmSync(fresh, { force: true });
    throw error;
  }
};

/** Writes a file atomically that anybody may read, such as a certificate. It is durable only after its folder is synced. */
export const writePublic = (file: string, content: string): void => replaceFile(file, content, PUBLIC_MODE);
