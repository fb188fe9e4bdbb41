import { setEnvironmentData } from "node:worker_threads";
import { setProcessClock } from "./clock.ts";
import { dieAtFaultPoints } from "./death.ts";
import { FAULTS_OF_WORKERS } from "./orders.ts";

/**
 * Has this process die, and its clock jump, as the orders say in the folder that CONCLAVE_FAULTS names.
 *
 * @returns the folder, for what a service hands in itself; undefined when none is named and nothing goes wrong
 */
export const followFaultOrders = (): string | undefined => {
  const folder = process.env["CONCLAVE_FAULTS"];
  if (folder === undefined) return undefined;
  setEnvironmentData(FAULTS_OF_WORKERS, folder);
  setProcessClock(folder);
  dieAtFaultPoints(folder);
  return folder;
};
