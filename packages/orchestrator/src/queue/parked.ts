import { type Database, type Logger, takeUpParked } from "@conclave/platform";
import { parkedTakenUp } from "../log/log-events.ts";

/**
 * Time after which a parked request is tried again: the cause may have passed, for example when a node answers again,
 * and no accepted request is given up (INV-5).
 */
const PARKED_FOR_MS = 15 * 60_000;
const ROUND_MS = 60_000;

/**
 * Retries requests that have been parked for long enough.
 * @returns the pause until the next round, in milliseconds
 */
export const retryParked = async (database: Database, logger: Logger): Promise<number> => {
  const count = await takeUpParked(database, { parkedForMs: PARKED_FOR_MS });
  if (count > 0) parkedTakenUp(logger, { count });
  return ROUND_MS;
};
