import { existsSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { LaunchError } from "../launch-error.ts";
import { outsidePlace } from "../parts/postgres-user.ts";
import { stateLayout } from "../state/layout.ts";

const NAME = /^[a-z0-9][a-z0-9-]{0,31}$/;

/** The snapshot of the state that the last restore replaced. */
export const REPLACED = "replaced";

/** The folder of a cluster's snapshots: beside its state, which `reset` deletes, and on the same disk. */
export const snapshotsFolder = (state: string): string => join(dirname(state), ".snapshots", basename(state));

/** The folder of one snapshot. @throws LaunchError for an invalid name */
export const snapshotFolder = (state: string, name: string): string => {
  if (NAME.test(name)) return join(snapshotsFolder(state), name);
  throw new LaunchError(
    `"${name}" is no name for a snapshot`,
    "Use up to 32 lower-case letters, digits and hyphens.",
  );
};

/** A folder of a cluster. */
export interface StatePart {
  /** its name in a snapshot */
  readonly name: "database" | "state";
  readonly path: string;
}

/**
 * All folders of a cluster, the state folder last: a restore holds once that one is in its place. PostgreSQL's data are elsewhere where root
 * started the cluster and the state folder is one that only root may enter.
 */
export const stateParts = (state: string): readonly StatePart[] => [
  { name: "database", path: join(outsidePlace(join(stateLayout(state).postgres, "data")), "data") },
  { name: "state", path: state },
];

/** The parts that exist below a folder, or in their places. */
export const existing = <Part extends { readonly path: string }>(parts: readonly Part[]): readonly Part[] =>
  parts.filter(({ path }) => existsSync(path));
