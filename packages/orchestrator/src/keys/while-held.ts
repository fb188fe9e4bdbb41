import type { Coordination, CoordinationOutcome } from "@conclave/platform/coordination";

/**
 * The outcome of a coordination that is this process's to run as long as it holds a lock.
 * @param lost aborts when the lock is no longer held: another process may begin, so this one's sessions are cancelled
 */
export const outcomeWhileHeld = <Value>(
  coordination: Pick<Coordination<Value>, "outcome" | "stop">,
  lost: AbortSignal | undefined,
): Promise<CoordinationOutcome<Value>> => {
  if (lost?.aborted === true) coordination.stop();
  lost?.addEventListener("abort", coordination.stop, { once: true });
  return coordination.outcome;
};
