import { vi } from "vitest";

/** Factor that shortens timeouts of a second or more when nobody answers, so that tests with silent nodes end soon. */
const TIMES_SHORTER = 100;
const SECOND_MS = 1_000;

/**
 * Node clients time out by `setTimeout` and `AbortSignal.timeout`; this shortens those timers, and leaves the configured limits
 * unchanged.
 * @param timesShorter a smaller factor if somebody does answer, at the machine's speed
 */
export const withLittlePatience = async <T>(
  ask: () => Promise<T>,
  timesShorter = TIMES_SHORTER,
): Promise<T> => {
  const shorter = (ms: number): number => (ms >= SECOND_MS ? ms / timesShorter : ms);
  const { setTimeout: later } = globalThis;
  const abort = AbortSignal.timeout.bind(AbortSignal);
  vi.stubGlobal("setTimeout", (run: () => void, ms = 0, ...given: []) => later(run, shorter(ms), ...given));
  const spy = vi.spyOn(AbortSignal, "timeout").mockImplementation((ms) => abort(shorter(ms)));
  try {
    return await ask();
  } finally {
    spy.mockRestore();
    vi.unstubAllGlobals();
  }
};
