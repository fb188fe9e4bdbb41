import { execFileSync } from "node:child_process";
import { basename } from "node:path";
import { typedByName } from "../host/typed-command.ts";
import { LaunchError } from "../launch-error.ts";
import { stateLayout } from "../state/layout.ts";
import { otherWork, ProcessTable } from "../state/process-table.ts";

/** @throws LaunchError while the cluster runs, processes of it that a crash left, or another snapshot or restore of it */
export const requireStopped = (state: string): void => {
  const table = new ProcessTable(stateLayout(state).run);
  const supervisor = table.supervisor();
  if (supervisor === undefined && table.alive().length === 0) return;
  const stops = typedByName("down", state);
  throw (
    (supervisor && otherWork(supervisor)) ??
    new LaunchError(
      `the cluster ${basename(state)} runs`,
      `Stop it first${stops === undefined ? "." : `: ${stops}`}`,
    )
  );
};

/**
 * Runs while the cluster cannot be started.
 * @param doing a sentence about the work, for commands that it keeps waiting
 */
export const whileStopped = async <Value>(
  state: string,
  doing: string,
  work: () => Value,
): Promise<Value> => {
  requireStopped(state);
  const table = new ProcessTable(stateLayout(state).run);
  await table.acquire(doing);
  try {
    return work();
  } finally {
    table.release();
  }
};

/** Has the system write what was copied to its disk, before a rename makes it count. */
export const flushDisk = (): void => {
  execFileSync("sync", { stdio: "ignore" });
};

const CAUSES: Readonly<Record<string, readonly [string, string]>> = {
  ENOSPC: ["the disk is full", "Free some space, or delete snapshots, and give the command again."],
  EDQUOT: ["the disk is full", "Free some space, or delete snapshots, and give the command again."],
  EACCES: ["a file of it cannot be read or written", "Give the command as the user who started the cluster."],
  EPERM: ["a file of it cannot be read or written", "Give the command as the user who started the cluster."],
  EROFS: ["its disk cannot be written", "Mount it so that it can."],
};

/** Turns an error of the file system into a sentence. */
export const diskError = (doing: string, cause: unknown): unknown => {
  if (!(cause instanceof Error) || !("code" in cause) || typeof cause.code !== "string") return cause;
  const [why, remedy] = CAUSES[cause.code] ?? [cause.message, "Give the command again."];
  return new LaunchError(`${doing}: ${why}; nothing has changed`, remedy);
};
