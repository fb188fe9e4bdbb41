import type { World } from "@conclave/custody";
import { type LoopOptions, startLoop } from "../loop.ts";
import type { Subscription } from "./listener.ts";

/** The table is read at this interval, because announcements of work may be lost. */
const POLL_MS = 1_000;

export interface Attendance {
  readonly world: World;
  readonly hear?: LoopOptions["hear"];
  /** Does some of the work and returns how much was done. After 0 the loop waits. */
  readonly round: () => Promise<number>;
  readonly onFailure: (error: unknown) => void;
}

/** Works through a table until stopped: at every announcement, every second, and again at once while there is work. */
export const attend = ({ world, hear, round, onFailure }: Attendance): Subscription =>
  startLoop({
    world,
    hear,
    round: async () => ((await round()) === 0 ? POLL_MS : 0),
    onFailure,
    pauseAfterFailureMs: POLL_MS,
  });
