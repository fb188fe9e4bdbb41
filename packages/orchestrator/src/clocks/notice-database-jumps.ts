import type { World } from "@conclave/custody";
import {
  type Database,
  type DatabaseClock,
  databaseClockSet,
  drawInServerTimes,
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

/**
 * How often times that statements dated are drawn in although no jump was noticed: the clock may go ahead and back
 * between two measurements, above all where the database is away for one of them. Deliveries are dated by measurements.
 */
export const DRAWN_IN_EVERY_MS = 10_000;

const LEASES: LeaseTimes = {
  requestMs: REQUEST_LEASE_MS,
  presignatureMs: LEASE_MS,
  deliveryMs: DELIVERY_LEASE_MS,
};

/** The dependencies of the round. */
export interface DatabaseJumps {
  readonly database: Pick<Database, "rows" | "execute" | "announce">;
  readonly clock: Pick<DatabaseClock, "measure">;
  readonly world: Pick<World, "monotonicMs">;
  readonly leases: Pick<Leases, "doubt">;
  readonly logger: Pick<Logger, "warn">;
}

/**
 * Makes a round that follows the database's clock. At the first round, and when that clock went back, it lowers stored
 * times that lie too far ahead (`drawInTimes`); every DRAWN_IN_EVERY_MS those that statements dated
 * (`drawInServerTimes`).
 *
 * @returns the round; it gives the milliseconds until the next one, and rejects with Outage while the database does not
 * answer
 */
export const noticeDatabaseJumps = ({ database, clock, world, leases, logger }: DatabaseJumps) => {
  // stays undefined when a round fails in between, so that the next one retries
  let drawnInAtMs: number | undefined;
  return async (): Promise<number> => {
    const { setByMs } = await clock.measure(database);
    if (setByMs === undefined || setByMs < 0) drawnInAtMs = undefined;
    if (setByMs !== undefined && setByMs !== 0) {
      leases.doubt();
      databaseClockSet(logger, { setByMs });
    }
    const nowMs = world.monotonicMs();
    if (drawnInAtMs === undefined || nowMs - drawnInAtMs >= DRAWN_IN_EVERY_MS) {
      const drawIn = drawnInAtMs === undefined ? drawInTimes : drawInServerTimes;
      const count = await drawIn(database, LEASES);
      if (count > 0) timesDrawnIn(logger, { count });
      drawnInAtMs = nowMs;
    }
    return MEASURED_EVERY_MS;
  };
};
