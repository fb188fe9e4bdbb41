import { vi } from "vitest";

/** Patience of a second and more is shortened so many times where nobody answers, so that silence is over soon. */
const TIMES_SHORTER = 100;
const SECOND_MS = 1_000;

/**
 * Clients of nodes measure their patience by `setTimeout` and `AbortSignal.timeout`; the limits themselves stay as they are written.
 * @param timesShorter fewer where somebody does answer, at whatever speed the machine has
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
