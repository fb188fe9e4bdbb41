import { type Database, type Logger, takeUpParked } from "@conclave/platform";
import { parkedTakenUp } from "../log/log-events.ts";

/**
 * The cause for which a request was put aside may have passed, as when a node answers again: nothing that was accepted is given up (INV-5).
 */
const PARKED_FOR_MS = 15 * 60_000;
const ROUND_MS = 60_000;

/**
 * Takes up requests that were put aside for so long.
 * @returns how long to pause, in milliseconds
 */
export const retryParked = async (database: Database, logger: Logger): Promise<number> => {
  const count = await takeUpParked(database, { parkedForMs: PARKED_FOR_MS });
  if (count > 0) parkedTakenUp(logger, { count });
  return ROUND_MS;
};
