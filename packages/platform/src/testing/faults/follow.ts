import { setEnvironmentData } from "node:worker_threads";
import { setProcessClock } from "./clock.ts";
import { dieAtFaultPoints } from "./death.ts";
import { FAULTS_OF_WORKERS } from "./orders.ts";

/**
 * Makes this process follow the orders in the folder that CONCLAVE_FAULTS names: it dies, and its clock jumps.
 *
 * @returns the folder, for further faults that a service sets up itself; undefined if none is named, so that no fault
 * occurs
 */
export const followFaultOrders = (): string | undefined => {
  const folder = process.env["CONCLAVE_FAULTS"];
  if (folder === undefined) return undefined;
  setEnvironmentData(FAULTS_OF_WORKERS, folder);
  setProcessClock(folder);
  dieAtFaultPoints(folder);
  return folder;
};
