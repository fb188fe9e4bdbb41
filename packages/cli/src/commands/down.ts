import {
  isAlive,
  otherWork,
  ProcessTable,
  signalProcess,
  stateLayout,
  typedCommand,
  waitUntil,
} from "@conclave/testbed/launch";
import { clusterFolder } from "../cluster-folder.ts";

/** A little longer than the shutdown timeouts of all services together. */
const STOP_DEADLINE_MS = 30_000;

/**
 * `conclave down`: stops the cluster in order, and ends processes that a crash left. A snapshot or a restore that is under way goes on.
 * @returns whether anything ran. Rejects with a LaunchError while a command copies the cluster
 */
export const down = async (name: string): Promise<boolean> => {
  const table = new ProcessTable(stateLayout(clusterFolder(name)).run);
  const supervisor = table.supervisor();
  if (supervisor !== undefined) {
    const refusal = otherWork(supervisor);
    if (refusal !== undefined) throw refusal;
    signalProcess(supervisor, "SIGTERM");
    await waitUntil(() => (isAlive(supervisor) ? undefined : true), {
      what: `the cluster's supervisor (process ${supervisor.pid}) to end`,
      deadlineMs: STOP_DEADLINE_MS,
      remedy: `End it with: kill -9 ${supervisor.pid}; ${typedCommand("down", name)}`,
    });
  }
  const left = await table.endLeftovers();
  table.release();
  const ran = supervisor !== undefined || left.length > 0;
  process.stderr.write(ran ? `${name} is stopped; its state stays\n` : `${name} does not run\n`);
  return ran;
};
