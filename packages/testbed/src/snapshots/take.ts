import { existsSync, mkdirSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";
import { programVersion } from "../host/installation.ts";
import { typedAbout } from "../host/typed-command.ts";
import { LaunchError } from "../launch-error.ts";
import { stateLayout } from "../state/layout.ts";
import { ProcessTable } from "../state/process-table.ts";
import { readDescription } from "../state/read-description.ts";
import { copyTree } from "./copy-tree.ts";
import { SNAPSHOT_FORM } from "./form.ts";
import { ABOUT, listSnapshots, snapshotCalled } from "./list.ts";
import { databasePlace, snapshotFolder, snapshotsFolder, unfinishedFolders } from "./places.ts";
import { requireRestored, settleRestore } from "./put-back.ts";
import { diskError, flushDisk, requireStopped, whileStopped } from "./undisturbed.ts";
import { requireWhole } from "./whole-state.ts";

const OWNER_ONLY = 0o700;
const PRIVATE = 0o600;

/** Copies all folders of a cluster into a new folder, and names it once they are on disk. @returns bytes */
const copyWhole = (state: string, folder: string): number => {
  const unfinished = join(snapshotsFolder(state), ".unfinished");
  rmSync(unfinished, { recursive: true, force: true });
  mkdirSync(unfinished, { recursive: true, mode: OWNER_ONLY });
  try {
    const database = databasePlace(state);
    const bytes =
      copyTree(state, join(unfinished, "state")) +
      (existsSync(database) ? copyTree(database, join(unfinished, "database")) : 0);
    // of this process, which ends
    new ProcessTable(stateLayout(join(unfinished, "state")).run).release();
    const about = JSON.stringify({
      form: SNAPSHOT_FORM,
      version: programVersion(),
      takenAt: new Date().toISOString(),
      bytes,
    });
    writeFileSync(join(unfinished, ABOUT), about, { mode: PRIVATE });
    flushDisk();
    renameSync(unfinished, folder);
    return bytes;
  } catch (cause) {
    rmSync(unfinished, { recursive: true, force: true });
    throw cause;
  }
};

/**
 * Copies the whole state of a stopped cluster.
 * @returns its bytes. Rejects with a LaunchError, and changes nothing, if the cluster runs, is not whole here, or has such a snapshot
 */
export const takeSnapshot = async (state: string, name: string): Promise<number> => {
  const folder = snapshotFolder(state, name);
  const cluster = basename(state);
  requireRestored(state);
  requireStopped(state);
  if (readDescription(stateLayout(state)) === undefined)
    throw new LaunchError(`no cluster has run in ${state}`, "Start one there, or name another one.");
  // a list refuses a folder that this user may not read
  if (listSnapshots(state).some((one) => one.name === name) || existsSync(folder)) {
    const deletes = typedAbout("snapshot", state, { DELETE: name });
    throw new LaunchError(`${cluster} has a snapshot ${name} already`, `Choose another name, or: ${deletes}`);
  }
  requireWhole(state);
  try {
    return await whileStopped(state, `the snapshot ${name} of ${cluster} is being taken`, () => {
      settleRestore(state);
      return copyWhole(state, folder);
    });
  } catch (cause) {
    throw diskError(`the snapshot ${name} of ${cluster} was not taken`, cause);
  }
};

/** Deletes a snapshot. @throws LaunchError if there is none */
export const deleteSnapshot = (state: string, name: string): void => {
  const folder = snapshotFolder(state, name);
  snapshotCalled(state, name);
  // without its name it is no snapshot, however far the deletion comes
  for (const left of unfinishedFolders(state)) rmSync(left, { recursive: true, force: true });
  const unnamed = join(snapshotsFolder(state), ".deleted");
  renameSync(folder, unnamed);
  rmSync(unnamed, { recursive: true });
};
