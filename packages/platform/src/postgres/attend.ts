import { setTimeout as pause } from "node:timers/promises";
import type { Subscription } from "./listener.ts";

/** The table is read at this interval, because what announces work may be lost. */
const POLL_MS = 1_000;

/** A listener that hears announcements until it is stopped. */
export interface Stoppable {
  stop(): void | Promise<void>;
}

export interface Attendance {
  /** begins to hear what announces work; undefined when nothing does but the time */
  readonly hear?: (ring: () => void) => Stoppable;
  /** Does some of the work and returns how much. After 0 the loop waits. */
  readonly round: () => Promise<number>;
  readonly onFailure: (error: unknown) => void;
}

/** Works through a table until stopped: at every announcement, every second, and again at once while there is work. */
export const attend = (options: Attendance): Subscription => {
  const stopping = new AbortController();
  const bell = makeBell();
  const ears = options.hear?.(bell.ring);
  const running = attendForEver(options, bell, stopping.signal);
  return {
    stop: async () => {
      stopping.abort();
      bell.ring();
      await Promise.all([ears?.stop(), running]);
    },
  };
};

const attendForEver = async (options: Attendance, bell: Bell, stopping: AbortSignal): Promise<void> => {
  while (!stopping.aborted) {
    // an announcement that arrives while the table is read is remembered, so that its row is not missed
    bell.reset();
    try {
      if ((await options.round()) === 0) await bell.rungWithin(POLL_MS);
    } catch (error) {
      options.onFailure(error);
      await pause(POLL_MS, undefined, { signal: stopping }).catch(() => undefined);
    }
  }
};

interface Bell {
  readonly ring: () => void;
  /** Clears an earlier ring. */
  readonly reset: () => void;
  /** Resolves at the next ring, at once if there was one since the reset, and after `ms` at the latest. */
  readonly rungWithin: (ms: number) => Promise<void>;
}

const makeBell = (): Bell => {
  let rung = false;
  let wake = () => {};
  return {
    ring: () => {
      rung = true;
      wake();
    },
    reset: () => {
      rung = false;
    },
    rungWithin: (ms) =>
      new Promise((resolve) => {
        if (rung) return resolve();
        const timer = setTimeout(resolve, ms);
        wake = () => {
          clearTimeout(timer);
          resolve();
        };
      }),
  };
};
