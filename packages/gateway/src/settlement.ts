import { type Bus, doneSubject, type Hearing, Outage } from "@conclave/platform";

/** A wait for the signal that something is settled; it may never come, so it ends by itself. */
export interface Settlement {
  /** Resolves at the signal, after `waitMs`, or when the process stops: in each case the row tells what is so. */
  wait(waitMs: number, stopping: AbortSignal): Promise<void>;
  stop(): void;
}

/**
 * Hears the signal for one id. Call it before the request is committed: the signal is not repeated.
 * @throws Outage when the bus is away
 */
export const hearSettlement = async (bus: Pick<Bus, "hear">, id: string): Promise<Settlement> => {
  let settle = () => {};
  const settled = new Promise<void>((resolve) => {
    settle = () => resolve();
  });
  const hearing: Hearing = await bus.hear(doneSubject(id), () => settle());
  return {
    wait: (waitMs, stopping) => within(settled, waitMs, stopping),
    stop: () => hearing.stop(),
  };
};

const within = async (settled: Promise<void>, waitMs: number, stopping: AbortSignal): Promise<void> => {
  let timer: NodeJS.Timeout | undefined;
  let stop = () => {};
  const over = new Promise<void>((resolve) => {
    stop = () => resolve();
    timer = setTimeout(resolve, waitMs);
    stopping.addEventListener("abort", stop, { once: true });
    if (stopping.aborted) resolve();
  });
  await Promise.race([settled, over]);
  clearTimeout(timer);
  stopping.removeEventListener("abort", stop);
};

/**
 * What became of a request that was accepted, as its row says. While the database is away nobody knows; but that the request was
 * accepted is known, and a caller who is told otherwise makes it twice.
 * @returns "away" while the database does not answer
 */
export const afterAcceptance = <Row>(read: Promise<Row>): Promise<Row | "away"> =>
  read.catch((error: unknown) => {
    if (error instanceof Outage) return "away";
    throw error;
  });
