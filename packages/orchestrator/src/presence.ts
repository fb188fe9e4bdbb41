import type { World } from "@conclave/custody";
import { bePresent, type Database, type Logger } from "@conclave/platform";
import { presenceUnknown } from "./log/process-events.ts";

const AWAY_MS = 1_000;

/** This process's entry among the present processes. */
export interface Presence {
  /**
   * its name in the database; undefined while it has none. After a change of name, other processes may have taken over
   * the requests that it held.
   */
  readonly presentAs: () => string | undefined;
  stop(): Promise<void>;
}

/**
 * Keeps this process present in the database until it is stopped, so that others take over the requests that it holds
 * as soon as it ends. A process that cannot reach the database is not present, and returns under another name.
 */
export const startPresence = (database: Database, world: World, logger: Logger): Presence => {
  const stopping = new AbortController();
  let present: string | undefined;
  const stay = async (id: string, lost: AbortSignal): Promise<void> => {
    present = id;
    await firstAborted(lost, stopping.signal);
    present = undefined;
  };
  const staying = (async () => {
    while (!stopping.signal.aborted) {
      const id = world.freshUuid();
      try {
        await bePresent(database, id, (lost) => stay(id, lost));
      } catch (err) {
        presenceUnknown(logger, { err });
      }
      if (!stopping.signal.aborted) await world.sleep(AWAY_MS, stopping.signal);
    }
  })();
  return {
    presentAs: () => present,
    stop: async () => {
      stopping.abort();
      await staying;
    },
  };
};

/** Node keeps a signal of AbortSignal.any for as long as nothing aborts it: a process that is killed in a simulator would stay in memory. */
const firstAborted = (...signals: readonly AbortSignal[]): Promise<void> =>
  new Promise((resolve) => {
    const hear = (): void => {
      for (const signal of signals) signal.removeEventListener("abort", hear);
      resolve();
    };
    if (signals.some((signal) => signal.aborted)) return resolve();
    for (const signal of signals) signal.addEventListener("abort", hear);
  });
