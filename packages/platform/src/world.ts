import { type World, worldOf } from "@conclave/custody";
import { processEntropy } from "./entropy.ts";

/** setTimeout runs at once if the delay is longer than this. */
const LONGEST_MS = 2 ** 31 - 1;

const within = (ms: number): number => {
  if (!(ms <= LONGEST_MS)) throw new RangeError(`${ms} ms is too long for a timer`);
  return ms;
};

/** The world of a process: the clocks of its machine, the timers of Node, the randomness of its system. */
export const processWorld: World = worldOf({
  nowMs: () => Date.now(),
  monotonicMs: () => performance.now(),
  after: (ms, run) => {
    const timer = setTimeout(run, within(ms));
    return { stop: () => clearTimeout(timer) };
  },
  every: (ms, run) => {
    const timer = setInterval(run, within(ms));
    return { stop: () => clearInterval(timer) };
  },
  entropy: processEntropy,
});
