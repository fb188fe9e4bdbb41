import { setTimeout as delay } from "node:timers/promises";
import type { RunningNode } from "../node.ts";

const BLOCK_MS = 1_000;

/** Makes a node's blocks, one per second, like a network. */
export interface BlockClock {
  /** Stops making blocks; resolves once no block is being made. */
  hold(): Promise<void>;
  release(): void;
  stop(): Promise<void>;
}

/** @param makesBlocks for a node that makes blocks itself, and is never held */
export const startBlockClock = (node: RunningNode, makesBlocks: boolean): BlockClock => {
  const ended = new AbortController();
  let isHeld = false;
  let block: Promise<void> = Promise.resolve();
  const run = async (): Promise<void> => {
    while (!ended.signal.aborted) {
      if (!isHeld) block = node.mine(1);
      await block;
      await delay(BLOCK_MS, undefined, { signal: ended.signal }).catch(() => undefined);
    }
  };
  const running = makesBlocks ? Promise.resolve() : run();
  // stop() throws the error if the node makes no block
  running.catch(() => undefined);
  return {
    hold: async () => {
      if (makesBlocks) throw new Error("this node makes its blocks by itself");
      isHeld = true;
      await block;
    },
    release: () => {
      isHeld = false;
    },
    stop: async () => {
      ended.abort();
      await running;
    },
  };
};
