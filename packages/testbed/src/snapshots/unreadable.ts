import { statSync } from "node:fs";
import { dirname } from "node:path";
import { LaunchError } from "../launch-error.ts";
import { systemErrorCode } from "../state/system-error-code.ts";

const DENIED: ReadonlySet<string | undefined> = new Set(["EACCES", "EPERM"]);

const ownerOf = (path: string): number | undefined => {
  try {
    return statSync(path).uid;
  } catch {
    return undefined;
  }
};

/** The innermost folder that this user sees, from a path upwards. */
const seen = (path: string): { readonly folder: string; readonly owner: number } => {
  const owner = ownerOf(path);
  return owner === undefined && path !== dirname(path)
    ? seen(dirname(path))
    : { folder: path, owner: owner ?? 0 };
};

const called = (uid: number): string => (uid === 0 ? "root" : `the user with the id ${uid}`);

/**
 * Turns the refusal of the file system to show a folder of snapshots into a sentence that names the folder and its owner. A command of
 * another user, such as root, made such a folder for itself alone.
 * @returns the cause itself where it is no such refusal
 */
export const unreadable = (path: string, cause: unknown): unknown => {
  if (!DENIED.has(systemErrorCode(cause))) return cause;
  const { folder, owner } = seen(path);
  return new LaunchError(
    `this user cannot read the snapshots in ${folder}, which belongs to ${called(owner)}`,
    `Give the command as ${called(owner)}, or have ${called(owner)} give the folder to this user, with chown -R.`,
  );
};
