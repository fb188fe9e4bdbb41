import type { LedgerClock } from "../clock.ts";

/** The machine's clock. Its timers alone keep no process alive. */
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
