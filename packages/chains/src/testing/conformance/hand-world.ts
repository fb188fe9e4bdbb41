import { type Timer, type World, worldOf } from "@conclave/custody";

/** A world whose time advances only when a test says so; it has no randomness. */
export interface HandWorld extends World {
  /** Advances time; timers that become due run in their order. */
  readonly pass: (ms: number) => void;
}

export const openHandWorld = (): HandWorld => {
  let nowMs = 0;
  const timers = new Set<{ readonly atMs: number; readonly run: () => void }>();
  const after = (ms: number, run: () => void): Timer => {
    const timer = { atMs: nowMs + ms, run };
    timers.add(timer);
    return { stop: () => void timers.delete(timer) };
  };
  const every = (ms: number, run: () => void): Timer => {
    let next = after(ms, function again() {
      next = after(ms, again);
      run();
    });
    return { stop: () => next.stop() };
  };
  const pass = (ms: number): void => {
    const end = nowMs + ms;
    for (;;) {
      const [due] = [...timers].filter(({ atMs }) => atMs <= end).sort((a, b) => a.atMs - b.atMs);
      if (due === undefined) break;
      timers.delete(due);
      nowMs = due.atMs;
      due.run();
    }
    nowMs = end;
  };
  const entropy = (): never => {
    throw new Error("this world has no chance");
  };
  return { ...worldOf({ nowMs: () => nowMs, monotonicMs: () => nowMs, after, every, entropy }), pass };
};
