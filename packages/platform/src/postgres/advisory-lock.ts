import type { World } from "@conclave/custody";
import type { Database } from "./database.ts";

const TRY_AGAIN_MS = 500;

/**
 * Like Database.exclusively, but waits until the lock is free.
 *
 * @param stopping ends the wait for the lock
 * @returns the result of `work`; undefined if it was stopped before the lock was free
 */
export const withAdvisoryLock = async <T>(
  world: Pick<World, "sleep">,
  database: Pick<Database, "exclusively">,
  lock: string,
  stopping: AbortSignal,
  work: (lost: AbortSignal) => Promise<T>,
): Promise<T | undefined> => {
  while (!stopping.aborted) {
    const held = await database.exclusively(lock, work);
    if (held !== undefined) return held.value;
    await world.sleep(TRY_AGAIN_MS, stopping);
  }
  return undefined;
};
