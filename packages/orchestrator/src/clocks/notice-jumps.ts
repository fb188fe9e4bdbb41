import type { World } from "@conclave/custody";
import type { Logger } from "@conclave/platform";
import { LifeWatch } from "@conclave/platform/life";
import { timeInDoubt } from "../log/process-events.ts";
import type { Leases } from "../presignatures/leases.ts";

/** How often the two clocks of this process are compared. */
export const COMPARED_EVERY_MS = 1_000;

/**
 * Makes a round that notices when this machine's clock was set, or the machine was paused. Time may have passed that
 * the monotonic clock did not count, so leases of presignatures are no longer trusted.
 *
 * @returns the round; it gives the milliseconds until the next one
 */
export const noticeJumps = (
  world: Pick<World, "nowMs" | "monotonicMs">,
  leases: Pick<Leases, "doubt">,
  logger: Pick<Logger, "warn">,
): (() => Promise<number>) => {
  const watch = new LifeWatch(world);
  return async () => {
    const why = watch.look("whole");
    if (why !== undefined) {
      leases.doubt();
      timeInDoubt(logger, { why });
    }
    return COMPARED_EVERY_MS;
  };
};
