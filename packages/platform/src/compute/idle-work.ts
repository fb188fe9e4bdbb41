/**
 * A worker without messages for so long has time: a client that asks again and again is served first, and so is a
 * cluster that starts on one laptop.
 */
export const IDLE_MS = 3_000;

export interface IdleWork {
  /** Whether there is something to do and nothing that comes first. */
  readonly isIdle: () => boolean;
  /** One small piece of it; whatever has arrived meanwhile is done before the next. */
  readonly work: () => void;
}

/**
 * Does idle work piece by piece once nothing has happened for a while, until it is done or something happens.
 *
 * @param idleMs how long nothing has to happen, in milliseconds
 * @returns to be called whenever something happens
 */
export const openIdleWork = ({ isIdle, work }: IdleWork, idleMs: number = IDLE_MS): (() => void) => {
  let timer: NodeJS.Timeout | undefined;
  const next = (): void => {
    if (!isIdle()) return;
    work();
    timer = setTimeout(next, 0); // messages come before timers that are due
    timer.unref();
  };
  return () => {
    clearTimeout(timer);
    if (!isIdle()) return;
    timer = setTimeout(next, idleMs);
    timer.unref(); // no process stays alive for work ahead
  };
};
