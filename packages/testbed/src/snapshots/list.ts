import { existsSync, readdirSync, readFileSync } from "node:fs";
import { basename, join } from "node:path";
import { z } from "zod";
import { LaunchError } from "../launch-error.ts";
import { snapshotFolder, snapshotsFolder } from "./places.ts";

/** The file that makes a folder a snapshot; it is written last. */
export const ABOUT = "snapshot.json";

const aboutSchema = z.object({ takenAt: z.string(), bytes: z.number() });

export interface Snapshot {
  readonly name: string;
  /** ISO 8601 */
  readonly takenAt: string;
  /** of its files */
  readonly bytes: number;
}

/** The description in a snapshot's folder; undefined for a folder that is none, or whose copy was damaged. */
const aboutIn = (folder: string): z.infer<typeof aboutSchema> | undefined => {
  try {
    return aboutSchema.parse(JSON.parse(readFileSync(join(folder, ABOUT), "utf8")));
  } catch {
    return undefined;
  }
};

/** The snapshots of a cluster, the latest last. */
export const listSnapshots = (state: string): readonly Snapshot[] => {
  const folder = snapshotsFolder(state);
  if (!existsSync(folder)) return [];
  return readdirSync(folder)
    .filter((name) => !name.startsWith("."))
    .flatMap((name) => {
      const about = aboutIn(join(folder, name));
      return about === undefined ? [] : [{ name, ...about }];
    })
    .sort((left, right) => (left.takenAt < right.takenAt ? -1 : 1));
};

/** @throws LaunchError if a cluster has no such snapshot */
export const requireSnapshot = (state: string, name: string): void => {
  snapshotFolder(state, name);
  const known = listSnapshots(state).map((snapshot) => snapshot.name);
  if (known.includes(name)) return;
  throw new LaunchError(
    `${basename(state)} has no snapshot ${name}`,
    known.length === 0 ? "It has none." : `It has ${known.join(", ")}.`,
  );
};
