import { BLOCK_MS } from "../chain/world-chain.ts";
import type { SharedParts } from "../process/parts.ts";
import type { ProcessWorld } from "../time/process-world.ts";
import { milliseconds } from "../time/scheduler.ts";

/** Judges each chain each second, as often as it makes a block. @param world of the watcher */
export const watchBlocks = (
  { chains, scheduler, watch }: Pick<SharedParts, "chains" | "scheduler" | "watch">,
  world: ProcessWorld,
): void => {
  world.every(BLOCK_MS, () => {
    const landed = chains.flatMap((chain) => chain.landed());
    watch.checks.block(landed, milliseconds(scheduler.nowUs));
  });
};
