import type { LedgerClock } from "../clock.ts";

/** The clock of the machine. Its timers keep no process alive by themselves. */
export const SYSTEM_CLOCK: LedgerClock = {
  now: () => Date.now(),
  every: (ms, run) => {
    const timer = setInterval(run, ms).unref();
    return () => clearInterval(timer);
  },
  after: (ms, run) => {
    const timer = setTimeout(run, ms).unref();
    return () => clearTimeout(timer);
  },
};
