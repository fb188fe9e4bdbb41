import { BLOCK_MS } from "../chain/simulated-chain.ts";
import type { SharedParts } from "../process/parts.ts";
import type { ProcessWorld } from "../time/process-world.ts";
import { milliseconds } from "../time/scheduler.ts";

/** Judges the chain each second, as often as it makes a block. @param world of the watcher */
export const watchBlocks = (
  { chain, scheduler, watch }: Pick<SharedParts, "chain" | "scheduler" | "watch">,
  world: ProcessWorld,
): void => {
  world.every(BLOCK_MS, () => watch.checks.block(chain.chain.landed(), milliseconds(scheduler.nowUs)));
};
