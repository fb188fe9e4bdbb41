import { setTimeout as delay } from "node:timers/promises";
import type { RunningNode } from "../node.ts";

const BLOCK_MS = 1_000;

/** Makes a node's blocks, one a second, as a network would. */
export interface BlockClock {
  /** No further block is made; resolves once none is being made. */
  hold(): Promise<void>;
  release(): void;
  stop(): Promise<void>;
}

/** @param makesBlocks of a node that makes its blocks by itself, and is never held */
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
  // stop() throws the error of a node that made no block
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
