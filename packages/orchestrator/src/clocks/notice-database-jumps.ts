import {
  type Database,
  type DatabaseClock,
  databaseClockSet,
  drawInTimes,
  type LeaseTimes,
  type Logger,
} from "@conclave/platform";
import { timesDrawnIn } from "../log/process-events.ts";
import { LEASE_MS, type Leases } from "../presignatures/leases.ts";
import { REQUEST_LEASE_MS } from "../queue/take.ts";
import { DELIVERY_LEASE_MS } from "../webhook-deliveries.ts";

/** How often the database's clock is read. */
export const MEASURED_EVERY_MS = 1_000;

const LEASES: LeaseTimes = {
  requestMs: REQUEST_LEASE_MS,
  presignatureMs: LEASE_MS,
  deliveryMs: DELIVERY_LEASE_MS,
};

/** The dependencies of the round. */
export interface DatabaseJumps {
  readonly database: Pick<Database, "rows" | "execute" | "announce">;
  readonly clock: Pick<DatabaseClock, "measure">;
  readonly leases: Pick<Leases, "doubt">;
  readonly logger: Pick<Logger, "warn">;
}

/**
 * Makes a round that follows the database's clock. At the first round, and when that clock went back, it lowers stored
 * times that lie too far ahead (`drawInTimes`).
 *
 * @returns the round; it gives the milliseconds until the next one, and rejects with Outage while the database does not
 * answer
 */
export const noticeDatabaseJumps = ({ database, clock, leases, logger }: DatabaseJumps) => {
  // stays false when a round fails in between, so that the next one retries
  let isDrawnIn = false;
  return async (): Promise<number> => {
    const { setByMs } = await clock.measure(database);
    if (setByMs === undefined || setByMs < 0) isDrawnIn = false;
    if (setByMs !== undefined && setByMs !== 0) {
      leases.doubt();
      databaseClockSet(logger, { setByMs });
    }
    if (!isDrawnIn) {
      const count = await drawInTimes(database, LEASES);
      if (count > 0) timesDrawnIn(logger, { count });
      isDrawnIn = true;
    }
    return MEASURED_EVERY_MS;
  };
};
