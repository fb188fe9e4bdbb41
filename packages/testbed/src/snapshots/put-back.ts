import { existsSync, mkdirSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { stateLayout } from "../state/layout.ts";
import { ProcessTable } from "../state/process-table.ts";
import { copyTree } from "./copy-tree.ts";
import { ABOUT, requireSnapshot } from "./list.ts";
import { existing, REPLACED, type StatePart, snapshotFolder, snapshotsFolder, stateParts } from "./places.ts";
import { diskError, flushDisk, requireStopped, whileStopped } from "./undisturbed.ts";
import { requireWhole } from "./whole-state.ts";

const OWNER_ONLY = 0o700;
const PRIVATE = 0o600;
const OTHERS_MAY_ENTER = 0o755;

/** Beside a part's place, so that a rename puts it there: the copy that is to come, and the state that goes. */
const comingOf = ({ path }: StatePart): string => `${path}.restoring`;
const leavingOf = ({ path }: StatePart): string => `${path}.leaving`;

const remove = (path: string): void => rmSync(path, { recursive: true, force: true });

/** Moves a folder, to another disk too. */
const move = (from: string, to: string): void => {
  try {
    renameSync(from, to);
  } catch (cause) {
    if (!(cause instanceof Error) || !("code" in cause) || cause.code !== "EXDEV") throw cause;
    copyTree(from, to);
    remove(from);
  }
};

/** Gives the parts their places again that they had before an unfinished restore. */
const takeBack = (parts: readonly StatePart[]): void => {
  for (const part of parts) {
    if (existsSync(leavingOf(part))) {
      remove(part.path);
      renameSync(leavingOf(part), part.path);
    }
    remove(comingOf(part));
  }
};

/** Keeps the replaced state as a snapshot, in place of that of the restore before. */
const keepReplaced = (state: string): void => {
  const parts = stateParts(state);
  const unfinished = join(snapshotsFolder(state), ".replaced");
  mkdirSync(unfinished, { recursive: true, mode: OWNER_ONLY });
  for (const part of parts)
    if (existsSync(leavingOf(part))) move(leavingOf(part), join(unfinished, part.name));
  const layout = stateLayout(join(unfinished, "state"));
  // a cluster that was reset leaves nothing to keep
  if (!existsSync(layout.roster)) {
    remove(unfinished);
    return;
  }
  // the lock of this process, which ends
  new ProcessTable(layout.run).release();
  const replaced = snapshotFolder(state, REPLACED);
  remove(replaced);
  const about = JSON.stringify({ takenAt: new Date().toISOString() });
  writeFileSync(join(unfinished, ABOUT), about, { mode: PRIVATE });
  renameSync(unfinished, replaced);
};

/**
 * Finishes or undoes a restore that was interrupted: it holds once the state folder, the last part, is in its place. A folder
 * without a roster is none: a command that starts a cluster may have made it for its logs.
 */
const settleRestore = (state: string): void => {
  const parts = stateParts(state);
  const isThere = existsSync(stateLayout(state).roster);
  const isDone = isThere && parts.some((part) => part.path === state && existsSync(leavingOf(part)));
  if (isDone) keepReplaced(state);
  else takeBack(parts);
};

/**
 * Settles an interrupted restore, if there is one, before a cluster starts or is copied: it would run on folders of two moments, or a new
 * one would be made.
 * @throws LaunchError if the cluster runs
 */
export const settleInterrupted = (state: string): void => {
  const isLeft = stateParts(state).some((part) => [comingOf(part), leavingOf(part)].some(existsSync));
  if (!isLeft) return;
  requireStopped(state);
  settleRestore(state);
};

const swap = (state: string, folder: string): void => {
  const parts = stateParts(state);
  try {
    for (const part of parts) {
      const copy = join(folder, part.name);
      if (!existsSync(copy)) continue;
      mkdirSync(dirname(part.path), { recursive: true, mode: OTHERS_MAY_ENTER });
      copyTree(copy, comingOf(part));
    }
    flushDisk();
    for (const part of parts) {
      if (existsSync(part.path)) renameSync(part.path, leavingOf(part));
      if (existsSync(comingOf(part))) renameSync(comingOf(part), part.path);
    }
  } catch (cause) {
    takeBack(parts);
    throw cause;
  }
};

/**
 * Puts the whole state of a snapshot in place of that of a stopped cluster, or of one that was reset. The replaced state becomes the
 * snapshot "replaced". No store has a presignature or a nonce, so none comes back (INV-2, decision 004); signers, records, bus and chains go back
 * together, so that none of them remembers what another has forgotten.
 *
 * Rejects with a LaunchError, and changes nothing, if there is no such snapshot, or the cluster runs or is not whole here.
 */
export const restoreSnapshot = async (state: string, name: string): Promise<void> => {
  const folder = snapshotFolder(state, name);
  requireStopped(state);
  settleInterrupted(state);
  requireSnapshot(state, name);
  requireWhole(state);
  const isThere = existing(stateParts(state)).some(({ path }) => path === state);
  const work = (): void => swap(state, folder);
  try {
    if (isThere) await whileStopped(state, work);
    else work();
  } catch (cause) {
    throw diskError(`the snapshot ${name} of ${basename(state)} was not restored`, cause);
  }
  keepReplaced(state);
};
