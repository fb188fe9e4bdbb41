import type { Coordination, CoordinationOutcome } from "@conclave/platform/coordination";

/**
 * The outcome of a coordination that this process may run only while it holds a lock.
 * @param lost aborts when the lock is lost: then another process may begin, so this one cancels its sessions
 */
export const outcomeWhileHeld = <Value>(
  coordination: Pick<Coordination<Value>, "outcome" | "stop">,
  lost: AbortSignal | undefined,
): Promise<CoordinationOutcome<Value>> => {
  if (lost?.aborted === true) coordination.stop();
  lost?.addEventListener("abort", coordination.stop, { once: true });
  return coordination.outcome;
};
