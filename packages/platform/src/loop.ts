import type { EndSignal, World } from "@conclave/custody";

/** Something that runs, or listens, until it is stopped. */
export interface Stoppable {
  stop(): void | Promise<void>;
}

export interface Loop {
  /** Ends the current pause, so that the next round begins at once; a pause after a failure is not shortened. */
  ring(): void;
  /** Ends what the loop hears, and resolves after the current round. */
  stop(): Promise<void>;
}

export interface LoopOptions {
  readonly world: World;
  /** subscribes to announcements of work, each of which rings; absent if only the pauses count. If it throws, no loop starts */
  readonly hear?: ((ring: () => void) => Stoppable) | undefined;
  /** one round; returns how long to pause afterwards, in milliseconds */
  readonly round: () => Promise<number>;
  /** called if a round threw; the next one comes after `pauseAfterFailureMs` */
  readonly onFailure: (error: unknown) => void;
  readonly pauseAfterFailureMs: number;
  /** minimum length of a pause, even if `ring` is called; 0 when absent */
  readonly leastPauseMs?: number;
}

/** Ends one pause. An AbortController would make an event and an error with its stack for each ring. */
class Alarm implements EndSignal {
  aborted = false;
  readonly #hearers = new Set<() => void>();

  addEventListener(_kind: "abort", heard: () => void): void {
    this.#hearers.add(heard);
  }

  removeEventListener(_kind: "abort", heard: () => void): void {
    this.#hearers.delete(heard);
  }

  ring(): void {
    this.aborted = true;
    for (const heard of [...this.#hearers]) heard();
  }
}

/** Repeats a round until it is stopped, with the timers of its World. All processes use this loop. */
export const startLoop = ({
  world,
  hear,
  round,
  onFailure,
  pauseAfterFailureMs,
  leastPauseMs = 0,
}: LoopOptions): Loop => {
  const stopping = new AbortController();
  let isStopping = false;
  let alarm = new Alarm();
  const ring = (): void => alarm.ring();
  const heard = hear?.(ring);
  const running = (async () => {
    while (!isStopping) {
      // created before the round, so that a ring during it is not lost
      const signal = new Alarm();
      alarm = signal;
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
    ring,
    stop: async () => {
      isStopping = true;
      stopping.abort();
      ring();
      await Promise.all([heard?.stop(), running]);
    },
  };
};
