import type { World } from "@conclave/custody";

export interface Loop {
  /** Ends the pause under way, so that the next round begins at once; but not the pause after a failure, which a ring says nothing about. */
  ring(): void;
  /** Waits for the round under way. */
  stop(): Promise<void>;
}

export interface LoopOptions {
  readonly world: World;
  /** one round; answers how long to pause afterwards, in milliseconds */
  readonly round: () => Promise<number>;
  /** a round threw; the next one comes after `pauseAfterFailureMs` */
  readonly onFailure: (error: unknown) => void;
  readonly pauseAfterFailureMs: number;
  /** a pause is this long at the least, however often it rings; none when absent */
  readonly leastPauseMs?: number;
}

/** Does something again and again until it is stopped, by the timers of its World: the one loop of all processes. */
export const startLoop = ({
  world,
  round,
  onFailure,
  pauseAfterFailureMs,
  leastPauseMs = 0,
}: LoopOptions): Loop => {
  const stopping = new AbortController();
  let isStopping = false;
  let alarm = new AbortController();
  const running = (async () => {
    while (!isStopping) {
      // made before the round, so that a ring during it is not lost
      alarm = new AbortController();
      const { signal } = alarm;
      const pauseMs = await round().catch((error: unknown) => {
        onFailure(error);
        return undefined;
      });
      if (isStopping) return;
      if (pauseMs === undefined) {
        await world.sleep(pauseAfterFailureMs, stopping.signal);
        continue;
      }
      const endedMs = world.monotonicMs();
      await world.sleep(pauseMs, signal);
      const leftMs = Math.min(leastPauseMs, pauseMs) - (world.monotonicMs() - endedMs);
      if (leftMs > 0) await world.sleep(leftMs, stopping.signal);
    }
  })();
  return {
    ring: () => alarm.abort(),
    stop: async () => {
      isStopping = true;
      stopping.abort();
      alarm.abort();
      await running;
    },
  };
};
