import { within } from "@conclave/platform";
import type { ProcessWorld } from "../time/process-world.ts";

/** A supervisor kills a process that takes longer to stop. */
const STOP_MS = 5_000;

/** Ends a process as SIGTERM does. @param assembled undefined while it still starts: then it ends at once */
export const orderlyEnd = async (
  world: ProcessWorld,
  assembled: { readonly stop: () => Promise<void> } | undefined,
): Promise<void> => {
  if (assembled === undefined) return;
  const dead = new Promise<void>((resolve) => world.onDeath(resolve));
  await Promise.race([dead, within(world, STOP_MS, assembled.stop())]);
};
