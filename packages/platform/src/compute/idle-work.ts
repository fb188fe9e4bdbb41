/**
 * A worker that got no message for this long counts as idle. Requests of a client that asks again and again, and the start of
 * a cluster on one laptop, come first.
 */
export const IDLE_MS = 3_000;

export interface IdleWork {
  /** Whether there is idle work to do and no other work waits. */
  readonly isIdle: () => boolean;
  /** Does one small piece of the work. Messages that arrive meanwhile are handled before the next piece. */
  readonly work: () => void;
}

/**
 * Does idle work piece by piece after a quiet period, until the work is done or something happens.
 *
 * @param idleMs length of the quiet period, in milliseconds
 * @returns a function to call whenever something happens
 */
export const openIdleWork = ({ isIdle, work }: IdleWork, idleMs: number = IDLE_MS): (() => void) => {
  let timer: NodeJS.Timeout | undefined;
  const next = (): void => {
    if (!isIdle()) return;
    work();
    timer = setTimeout(next, 0); // pending messages are handled before a due timer
    timer.unref();
  };
  return () => {
    clearTimeout(timer);
    if (!isIdle()) return;
    timer = setTimeout(next, idleMs);
    timer.unref(); // idle work keeps no process alive
  };
};
