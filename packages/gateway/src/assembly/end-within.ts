import type { World } from "@conclave/custody";

/** Longest wait of a failed start for the end of its parts: a loop's round may wait for a node or a database for much longer. */
const FAILED_START_MS = 2_000;

/** Waits for the end of a start that failed, but not for long: its caller reports the failure and ends the process. */
export const endWithin = async (world: World, ending: Promise<void>): Promise<void> => {
  const over = new AbortController();
  await Promise.race([ending, world.sleep(FAILED_START_MS, over.signal)]).finally(() => over.abort());
};
