import type { Timer, World } from "@conclave/custody";
import { afterCall, afterProbe, afterSuspicion, type Breaker, CLOSED } from "./breaker.ts";

/** A call that fails after this time met silence: less than the time that any client of a node gives it. */
const SILENT_MS = 3_000;

export interface GuardOptions extends Pick<World, "after" | "monotonicMs"> {
  /** hears that the node does not answer, and that it answers again */
  readonly onSilence?: (isSilent: boolean) => void;
}

/**
 * The cause of a call's duration. `node`: every call of this kind costs a node about the same. `caller`: a
 * caller chooses the contract or the transaction, and so how much work the node has.
 */
export type CostChosenBy = "node" | "caller";

/** How calls of one kind fail. */
interface Failing<T> {
  readonly costChosenBy: CostChosenBy;
  /** the answer in the place of a node that is left alone */
  readonly leftAlone: () => T;
  /** whether an answer tells that the node is away or cannot tell */
  readonly isFailure: (answer: T) => boolean;
}

interface Guard {
  /** Makes a call to the node, or answers in its place while it is left alone. */
  through<T>(call: () => Promise<T>, failing: Failing<T>): Promise<T>;
  /** No probe goes out any more. */
  stop(): void;
}

/** @param probe asks the node for what costs it least; returns whether it failed. Nobody waits for it but the guard */
export const makeGuard = (
  { after, monotonicMs, onSilence }: GuardOptions,
  probe: () => Promise<boolean>,
): Guard => {
  let breaker: Breaker = CLOSED;
  let timer: Timer | undefined;
  let isSuspecting = false;
  let isStopped = false;
  const isLong = (sinceMs: number): boolean => monotonicMs() - sinceMs >= SILENT_MS;
  const become = (next: Breaker): void => {
    if (next === breaker) return;
    const isNews = next.kind !== breaker.kind;
    breaker = next;
    timer?.stop();
    if (next.kind === "open" && !isStopped) timer = after(next.pauseMs, findOut);
    if (isNews) onSilence?.(next.kind === "open");
  };
  const findOut = async (): Promise<void> => {
    const beganMs = monotonicMs();
    const hasFailed = await probe().catch(() => false);
    become(afterProbe(breaker, hasFailed && isLong(beganMs)));
  };
  /** A caller's work was slow: that may be the work, or the node. */
  const suspect = async (): Promise<void> => {
    if (isSuspecting || isStopped || breaker.kind === "open") return;
    isSuspecting = true;
    const beganMs = monotonicMs();
    const hasFailed = await probe().catch(() => false);
    isSuspecting = false;
    become(afterSuspicion(breaker, hasFailed && isLong(beganMs)));
  };
  return {
    through: async (call, { leftAlone, isFailure, costChosenBy }) => {
      if (breaker.kind === "open") return leftAlone();
      const beganMs = monotonicMs();
      let wasSilent = false;
      try {
        const answer = await call();
        wasSilent = isFailure(answer) && isLong(beganMs);
        return answer;
      } finally {
        // an error that the client throws on is an answer
        if (wasSilent && costChosenBy === "caller") void suspect();
        else become(afterCall(breaker, wasSilent));
      }
    },
    stop: () => {
      isStopped = true;
      timer?.stop();
    },
  };
};
