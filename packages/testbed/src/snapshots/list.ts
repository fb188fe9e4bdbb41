import { readdirSync, readFileSync } from "node:fs";
import { basename, join } from "node:path";
import { z } from "zod";
import { LaunchError } from "../launch-error.ts";
import { systemErrorCode } from "../state/system-error-code.ts";
import { snapshotFolder, snapshotsFolder } from "./places.ts";
import { unreadable } from "./unreadable.ts";

/** The file that makes a folder a snapshot; it is written last. */
export const ABOUT = "snapshot.json";

const VERSION_LENGTH = 64;
/** Later forms keep these members, so that earlier versions list their snapshots, and delete them. */
const aboutSchema = z.object({
  takenAt: z.string(),
  bytes: z.number(),
  form: z.number().optional(),
  version: z.string().max(VERSION_LENGTH).optional(),
});

export interface Snapshot {
  readonly name: string;
  /** ISO 8601 */
  readonly takenAt: string;
  /** of its files */
  readonly bytes: number;
  /** of its folders and of its description; undefined for the first form */
  readonly form?: number | undefined;
  /** of the program that took it; undefined for the first ones */
  readonly version?: string | undefined;
}

/** The description in a snapshot's folder; undefined for a folder that is none, or whose copy was damaged. */
const aboutIn = (folder: string): z.infer<typeof aboutSchema> | undefined => {
  try {
    return aboutSchema.parse(JSON.parse(readFileSync(join(folder, ABOUT), "utf8")));
  } catch (cause) {
    const refusal = unreadable(folder, cause);
    if (refusal !== cause) throw refusal;
    return undefined;
  }
};

const namesIn = (folder: string): readonly string[] => {
  try {
    return readdirSync(folder);
  } catch (cause) {
    if (systemErrorCode(cause) === "ENOENT") return [];
    throw unreadable(folder, cause);
  }
};

/** The snapshots of a cluster, the latest last. @throws LaunchError where this user may not read them */
export const listSnapshots = (state: string): readonly Snapshot[] => {
  const folder = snapshotsFolder(state);
  return namesIn(folder)
    .filter((name) => !name.startsWith("."))
    .flatMap((name) => {
      const about = aboutIn(join(folder, name));
      return about === undefined ? [] : [{ name, ...about }];
    })
    .sort((left, right) => (left.takenAt < right.takenAt ? -1 : 1));
};

/** The snapshot of this name. @throws LaunchError if a cluster has none */
export const snapshotCalled = (state: string, name: string): Snapshot => {
  snapshotFolder(state, name);
  const all = listSnapshots(state);
  const found = all.find((snapshot) => snapshot.name === name);
  if (found !== undefined) return found;
  const known = all.map((snapshot) => snapshot.name);
  throw new LaunchError(
    `${basename(state)} has no snapshot ${name}`,
    known.length === 0 ? "It has none." : `It has ${known.join(", ")}.`,
  );
};
