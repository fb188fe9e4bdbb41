import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
} from "node:fs";
import { basename, dirname, join } from "node:path";
import { typedAbout } from "../host/typed-command.ts";
import { LaunchError } from "../launch-error.ts";
import { stateLayout } from "../state/layout.ts";
import { writePrivate } from "../state/private-file.ts";
import { LOCK_FILES } from "../state/process-table.ts";
import { copyTree } from "./copy-tree.ts";
import { requireKnownForm } from "./form.ts";
import { snapshotCalled } from "./list.ts";
import { databasePlace, snapshotFolder } from "./places.ts";
import { diskError, flushDisk, whileStopped } from "./undisturbed.ts";
import { requireWhole } from "./whole-state.ts";

const PERMISSIONS = 0o7777;
const OTHERS_MAY_ENTER = 0o755;
/** Folders in the state folder: the copy that is to come, and the one whose entry makes a folder a cluster's. */
const COMING = "restoring";
const MEMBERS = "cluster";
const RUN = "run";

const remove = (path: string): void => rmSync(path, { recursive: true, force: true });
const comingDatabase = (state: string): string => `${databasePlace(state)}.restoring`;
/** The file with the name of the snapshot that takes the place of a state: while it exists, the folder has neither whole. */
const noteOf = (state: string): string => join(state, "restoring.txt");

const interrupted = (state: string, snapshot: string, why = ""): LaunchError => {
  return new LaunchError(
    `a restore of ${basename(state)} was interrupted${why}`,
    `Give it again: ${typedAbout("restore", state, { SNAPSHOT: snapshot, YES: "1" })}`,
  );
};

/** @throws LaunchError where a restore was interrupted so late that the folder has no whole state */
export const requireRestored = (state: string): void => {
  if (existsSync(noteOf(state))) throw interrupted(state, readFileSync(noteOf(state), "utf8").trim());
};

/**
 * Removes the copy of a restore that was interrupted before anything changed.
 * @throws LaunchError where it was interrupted later
 */
export const settleRestore = (state: string): void => {
  requireRestored(state);
  remove(join(state, COMING));
  remove(comingDatabase(state));
};

/** Entries of a state folder, as paths in it, but for the lock of this process and the coming copy; that of the members last. */
const entriesOf = (folder: string): readonly string[] => {
  const own = readdirSync(folder).filter(
    (name) => ![RUN, COMING, MEMBERS, basename(noteOf(folder))].includes(name),
  );
  const run = existsSync(join(folder, RUN)) ? readdirSync(join(folder, RUN)) : [];
  const members = existsSync(join(folder, MEMBERS)) ? [MEMBERS] : [];
  return [
    ...own,
    ...run.filter((name) => !LOCK_FILES.includes(name)).map((name) => join(RUN, name)),
    ...members,
  ];
};

/** Copies a snapshot beside the state; nothing that the cluster has changes. */
const fetch = (state: string, folder: string): void => {
  remove(join(state, COMING));
  remove(comingDatabase(state));
  copyTree(join(folder, "state"), join(state, COMING));
  if (existsSync(join(folder, "database"))) {
    mkdirSync(dirname(databasePlace(state)), { recursive: true, mode: OTHERS_MAY_ENTER });
    copyTree(join(folder, "database"), comingDatabase(state));
  }
  flushDisk();
};

/** Puts the copy in place of the state. Interrupted, it leaves a note, and the restore is to be given again. */
const place = (state: string, name: string): void => {
  const coming = join(state, COMING);
  writePrivate(noteOf(state), `${name}\n`);
  flushDisk();
  for (const entry of entriesOf(state).toReversed()) remove(join(state, entry));
  remove(databasePlace(state));
  if (existsSync(comingDatabase(state))) renameSync(comingDatabase(state), databasePlace(state));
  chmodSync(state, statSync(coming).mode & PERMISSIONS);
  for (const entry of entriesOf(coming)) renameSync(join(coming, entry), join(state, entry));
  flushDisk();
  remove(coming);
  remove(noteOf(state));
};

/** @throws LaunchError if a cluster has no such snapshot, or this version cannot put it back */
export const requireRestorable = (state: string, name: string): void =>
  requireKnownForm(snapshotCalled(state, name));

/**
 * Puts the whole state of a snapshot in place of that of a stopped cluster, which is forgotten, or of one that was reset. No store has a
 * presignature or a nonce, so none comes back (INV-2, decision 004); signers, records, bus and chains go back together, so that none of them
 * remembers what another has forgotten.
 *
 * Rejects with a LaunchError, and changes nothing, if there is no such snapshot, it is of a newer version, or the cluster runs or is not whole here.
 */
export const restoreSnapshot = async (state: string, name: string): Promise<void> => {
  const folder = snapshotFolder(state, name);
  requireRestorable(state, name);
  if (!existsSync(noteOf(state))) requireWhole(state);
  const isNew = !existsSync(state);
  const doing = `the snapshot ${name} of ${basename(state)} is being put back`;
  await whileStopped(state, doing, () => {
    try {
      fetch(state, folder);
    } catch (cause) {
      if (!existsSync(noteOf(state))) settleRestore(state);
      throw diskError(`the snapshot ${name} of ${basename(state)} was not restored`, cause);
    }
    try {
      place(state, name);
    } catch (cause) {
      throw interrupted(state, name, `: ${cause instanceof Error ? cause.message : cause}`);
    }
  }).catch((cause: unknown) => {
    if (isNew && !existsSync(stateLayout(state).roster) && !existsSync(noteOf(state))) remove(state);
    throw cause;
  });
};
