import { type Bus, doneSubject } from "@conclave/platform";
import type { Dependencies } from "./dependencies.ts";

/** The row is read this often: the signal that it is settled may be lost, or the bus be away. */
const LOOK_MS = 500;

/** A wait for something to be settled, which ends by itself. */
export interface Settlement {
  /** @returns the row as it is at the signal, once it is settled, after `waitMs`, or when the process stops */
  until<Row>(waitMs: number, read: () => Promise<Row>, isSettled: (row: Row) => boolean): Promise<Row>;
  stop(): void;
}

/** Hears the signal for one id. Call it before the request is committed: the signal is not repeated. */
export const hearSettlement = (
  { bus, stopping }: { readonly bus: Pick<Bus, "hear"> } & Pick<Dependencies, "stopping">,
  id: string,
): Settlement => {
  let settle = () => {};
  const signalled = new Promise<"signalled">((resolve) => {
    settle = () => resolve("signalled");
  });
  const hearing = bus.hear(doneSubject(id), () => settle());
  return {
    until: async (waitMs, read, isSettled) => {
      const deadlineMs = performance.now() + waitMs;
      for (;;) {
        const leftMs = deadlineMs - performance.now();
        const heard = await within(signalled, Math.min(LOOK_MS, leftMs), stopping);
        const row = await read();
        if (heard === "signalled" || isSettled(row) || leftMs <= LOOK_MS || stopping.aborted) return row;
      }
    },
    stop: () => hearing.stop(),
  };
};

const within = async <Value>(
  signalled: Promise<Value>,
  waitMs: number,
  stopping: AbortSignal,
): Promise<Value | undefined> => {
  let timer: NodeJS.Timeout | undefined;
  let stop = () => {};
  const over = new Promise<undefined>((resolve) => {
    stop = () => resolve(undefined);
    timer = setTimeout(stop, waitMs);
    stopping.addEventListener("abort", stop, { once: true });
    if (stopping.aborted) resolve(undefined);
  });
  const value = await Promise.race([signalled, over]);
  clearTimeout(timer);
  stopping.removeEventListener("abort", stop);
  return value;
};
