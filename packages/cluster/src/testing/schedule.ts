interface Entry {
  readonly atMs: number;
  readonly order: number;
  readonly run: () => void;
}

/** Virtual time: what is due runs in the order of its time, then of its making. */
export interface Schedule {
  readonly now: () => number;
  readonly after: (delayMs: number, run: () => void) => void;
  /** runs the next entry, unless it is later than the limit; whether there was one */
  readonly step: (limitMs: number) => boolean;
}

export const openSchedule = (startMs: number): Schedule => {
  let nowMs = startMs;
  let order = 0;
  let entries: Entry[] = [];
  return {
    now: () => nowMs,
    after: (delayMs, run) => {
      entries.push({ atMs: nowMs + delayMs, order: order++, run });
    },
    step: (limitMs) => {
      const [next] = entries.toSorted((a, b) => a.atMs - b.atMs || a.order - b.order);
      if (next === undefined || next.atMs > limitMs) return false;
      entries = entries.filter((entry) => entry !== next);
      nowMs = next.atMs;
      next.run();
      return true;
    },
  };
};
