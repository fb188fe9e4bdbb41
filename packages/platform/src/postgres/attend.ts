import type { World } from "@conclave/custody";
import { startLoop } from "../loop.ts";
import type { Subscription } from "./listener.ts";

/** The table is read at this interval, because announcements of work may be lost. */
const POLL_MS = 1_000;

/** A listener that hears announcements until it is stopped. */
export interface Stoppable {
  stop(): void | Promise<void>;
}

export interface Attendance {
  readonly world: World;
  /** subscribes to announcements of work; absent if there are none and only the interval counts */
  readonly hear?: (ring: () => void) => Stoppable;
  /** Does some of the work and returns how much was done. After 0 the loop waits. */
  readonly round: () => Promise<number>;
  readonly onFailure: (error: unknown) => void;
}

/** Works through a table until stopped: at every announcement, every second, and again at once while there is work. */
export const attend = ({ world, hear, round, onFailure }: Attendance): Subscription => {
  // subscribes first: if that throws, no loop is left behind; the first round needs no ring
  let ring = (): void => undefined;
  const ears = hear?.(() => ring());
  const loop = startLoop({
    world,
    round: async () => ((await round()) === 0 ? POLL_MS : 0),
    onFailure,
    pauseAfterFailureMs: POLL_MS,
  });
  ring = loop.ring;
  return {
    stop: async () => {
      await Promise.all([ears?.stop(), loop.stop()]);
    },
  };
};
