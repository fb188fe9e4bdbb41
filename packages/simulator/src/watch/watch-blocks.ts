import { BLOCK_MS } from "../chain/simulated-chain.ts";
import type { SharedParts } from "../process/parts.ts";
import type { ProcessWorld } from "../time/process-world.ts";
import { milliseconds } from "../time/scheduler.ts";

/** Judges the chain at every block, once the block is made. @param world of the watcher */
export const watchBlocks = (
  { chain, scheduler, watch }: Pick<SharedParts, "chain" | "scheduler" | "watch">,
  world: ProcessWorld,
): void => {
  world.every(BLOCK_MS, () => watch.checks.block(chain.chain.landed(), milliseconds(scheduler.nowUs)));
};
