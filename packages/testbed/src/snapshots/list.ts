import { existsSync, readdirSync, readFileSync } from "node:fs";
import { basename, join } from "node:path";
import { z } from "zod";
import { LaunchError } from "../launch-error.ts";
import { snapshotFolder, snapshotsFolder } from "./places.ts";

/** The file that makes a folder a snapshot; it is written last. */
export const ABOUT = "snapshot.json";

const aboutSchema = z.object({ takenAt: z.string(), bytes: z.number().optional() });

export interface Snapshot {
  readonly name: string;
  /** ISO 8601 */
  readonly takenAt: string;
  /** of its files; undefined of one that a restore has kept */
  readonly bytes?: number | undefined;
}

/** The snapshots of a cluster, the latest last. */
export const listSnapshots = (state: string): readonly Snapshot[] => {
  const folder = snapshotsFolder(state);
  if (!existsSync(folder)) return [];
  return readdirSync(folder)
    .filter((name) => !name.startsWith(".") && existsSync(join(folder, name, ABOUT)))
    .map((name) => ({
      name,
      ...aboutSchema.parse(JSON.parse(readFileSync(join(folder, name, ABOUT), "utf8"))),
    }))
    .sort((left, right) => (left.takenAt < right.takenAt ? -1 : 1));
};

/** @throws LaunchError if a cluster has no such snapshot */
export const requireSnapshot = (state: string, name: string): void => {
  if (existsSync(join(snapshotFolder(state, name), ABOUT))) return;
  const known = listSnapshots(state).map((snapshot) => snapshot.name);
  throw new LaunchError(
    `${basename(state)} has no snapshot ${name}`,
    known.length === 0 ? "It has none." : `It has ${known.join(", ")}.`,
  );
};
