import { setTimeout as delay } from "node:timers/promises";
import { LaunchError } from "../launch-error.ts";

const POLL_MS = 25;

export interface WaitOptions {
  /** the awaited event, which completes the sentence "gave up waiting for …" */
  readonly what: string | (() => string);
  readonly deadlineMs: number;
  /** the remedy that the error states after the deadline */
  readonly remedy?: string;
  readonly signal?: AbortSignal;
  readonly pollMs?: number;
}

/**
 * Calls `probe` repeatedly until it returns a value, and resolves with that value.
 * Rejects with a LaunchError once `deadlineMs` has passed, and with any error that `probe` throws.
 */
export const waitUntil = async <T>(
  probe: () => T | undefined | Promise<T | undefined>,
  options: WaitOptions,
): Promise<T> => {
  const deadline = performance.now() + options.deadlineMs;
  for (;;) {
    options.signal?.throwIfAborted();
    const found = await probe();
    if (found !== undefined) return found;
    if (performance.now() > deadline) {
      const what = typeof options.what === "string" ? options.what : options.what();
      throw new LaunchError(
        `gave up waiting for ${what} after ${Math.round(options.deadlineMs / 1000)} s`,
        options.remedy ?? "Look at the logs in the state folder.",
      );
    }
    await delay(options.pollMs ?? POLL_MS, undefined, options.signal ? { signal: options.signal } : {});
  }
};
