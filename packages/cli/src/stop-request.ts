export interface StopRequest {
  /** aborted at the first SIGINT or SIGTERM */
  readonly signal: AbortSignal;
  readonly requested: Promise<void>;
}

/**
 * Turns the first SIGINT (Ctrl-C) or SIGTERM into a request to stop in order. Later signals do not cut the shutdown
 * short.
 */
export const nextStopRequest = (): StopRequest => {
  const controller = new AbortController();
  const requested = new Promise<void>((resolve) => {
    const stop = () => {
      controller.abort();
      resolve();
    };
    for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) process.on(signal, stop);
  });
  return { signal: controller.signal, requested };
};
