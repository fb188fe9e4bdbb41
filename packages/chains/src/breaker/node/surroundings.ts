/** The means by which nodes are reached: of a process, or of a simulated world, where one seed gives one run. */
export interface NodeSurroundings {
  /** As the global `fetch`. */
  readonly fetch: (url: string | URL | Request, init?: RequestInit) => Promise<Response>;
  /** milliseconds by a clock that only goes forward */
  readonly monotonicMs: () => number;
  /** A signal that aborts after so many milliseconds with a TimeoutError, as `AbortSignal.timeout` (DOM, section 3.2). */
  readonly timeout: (ms: number) => AbortSignal;
}

/** Those of a process. A test may replace the global `fetch`: it is looked up at each call. */
export const processSurroundings: NodeSurroundings = {
  fetch: (url, init) => fetch(url, init),
  monotonicMs: () => performance.now(),
  timeout: (ms) => AbortSignal.timeout(ms),
};
