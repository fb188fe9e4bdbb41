import type { World } from "@conclave/custody";
import { type Bus, doneSubject, Outage } from "@conclave/platform";
import type { Dependencies } from "./dependencies.ts";

/** Interval at which the row is read, as the signal that it is settled may be lost, or the bus be away. */
const LOOK_MS = 500;
const SILENCE = new Promise<never>(() => undefined);

/** A limited wait until something is settled. */
export interface Settlement {
  /**
   * @returns the row after the signal, once it is settled, after `waitMs`, or when the process stops; "away" while the
   * database does not answer
   */
  until<Row>(
    waitMs: number,
    read: () => Promise<Row>,
    isSettled: (row: Row) => boolean,
  ): Promise<Row | "away">;
  stop(): void;
}

/** Subscribes to the signal for one id. Must be called before the request is committed, as the signal is not repeated. */
export const hearSettlement = (
  { bus, stopping, world }: { readonly bus: Pick<Bus, "hear"> } & Pick<Dependencies, "stopping" | "world">,
  id: string,
): Settlement => {
  let settle = () => {};
  const signalled = new Promise<"signalled">((resolve) => {
    settle = () => resolve("signalled");
  });
  const hearing = bus.hear(doneSubject(id), () => settle());
  return {
    until: async (waitMs, read, isSettled) => {
      const deadlineMs = world.monotonicMs() + waitMs;
      let isSignalled = false;
      for (;;) {
        const leftMs = deadlineMs - world.monotonicMs();
        const heard: "signalled" | undefined = await within(
          world,
          isSignalled ? SILENCE : signalled,
          Math.min(LOOK_MS, leftMs),
          stopping,
        );
        isSignalled ||= heard === "signalled";
        const row = await unlessAway(read());
        if (row !== "away" && (isSignalled || isSettled(row))) return row;
        if (leftMs <= LOOK_MS || stopping.aborted) return row;
      }
    },
    stop: () => hearing.stop(),
  };
};

const within = async <Value>(
  world: World,
  signalled: Promise<Value>,
  waitMs: number,
  stopping: AbortSignal,
): Promise<Value | undefined> => {
  const over = new AbortController();
  const stop = () => over.abort();
  stopping.addEventListener("abort", stop, { once: true });
  if (stopping.aborted) stop();
  const patience = world.sleep(waitMs, over.signal).then(() => undefined);
  const value = await Promise.race([signalled, patience]);
  stop();
  stopping.removeEventListener("abort", stop);
  return value;
};

/**
 * "away" while the database does not answer: an accepted request must not be answered as failed, or its caller would
 * repeat it.
 */
export const unlessAway = <Row>(read: Promise<Row>): Promise<Row | "away"> =>
  read.catch((error: unknown) => {
    if (error instanceof Outage) return "away";
    throw error;
  });
