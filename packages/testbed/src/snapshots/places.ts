import { basename, dirname, join } from "node:path";
import { LaunchError } from "../launch-error.ts";
import { outsidePlace } from "../parts/postgres-user.ts";
import { stateLayout } from "../state/layout.ts";

const NAME = /^[a-z0-9][a-z0-9-]{0,31}$/;

/** Whether a text is a snapshot's name, which is a folder's as well. */
export const isSnapshotName = (text: string): boolean => NAME.test(text);

/** The folder of a cluster's snapshots: beside its state, which `reset` deletes, and on the same disk. */
export const snapshotsFolder = (state: string): string => join(dirname(state), ".snapshots", basename(state));

/** Folders of copies and deletions that were interrupted. */
export const unfinishedFolders = (state: string): readonly string[] =>
  [".unfinished", ".deleted"].map((name) => join(snapshotsFolder(state), name));

/** The folder of one snapshot. @throws LaunchError for an invalid name */
export const snapshotFolder = (state: string, name: string): string => {
  if (isSnapshotName(name)) return join(snapshotsFolder(state), name);
  throw new LaunchError(
    `"${name}" is no name for a snapshot`,
    "Use up to 32 lower-case letters, digits and hyphens.",
  );
};

/**
 * PostgreSQL's data where root started the cluster and the state folder is one that only root may enter; else they are in the
 * state folder.
 */
export const databasePlace = (state: string): string =>
  join(outsidePlace(join(stateLayout(state).postgres, "data")), "data");
