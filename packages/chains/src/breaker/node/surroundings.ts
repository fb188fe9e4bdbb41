import type { ReadingTurns } from "../../turns/node/in-turns.ts";

/**
 * The functions with which nodes are reached: a process's own, or those of a simulated world, where one seed determines
 * a run.
 */
export interface NodeSurroundings {
  /** As the global `fetch`. */
  readonly fetch: (url: string | URL | Request, init?: RequestInit) => Promise<Response>;
  /** milliseconds of a monotonic clock */
  readonly monotonicMs: () => number;
  /** A signal that aborts after this time with a TimeoutError, as `AbortSignal.timeout` (DOM, section 3.2). */
  readonly timeout: (ms: number) => AbortSignal;
  /** of long readings; those of a process where it is left out */
  readonly turns?: ReadingTurns;
}

/** The surroundings of a process. The global `fetch` is looked up at each call, because a test may replace it. */
export const processSurroundings: NodeSurroundings = {
  fetch: (url, init) => fetch(url, init),
  monotonicMs: () => performance.now(),
  timeout: (ms) => AbortSignal.timeout(ms),
};
