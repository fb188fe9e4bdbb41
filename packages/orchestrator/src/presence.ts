import type { World } from "@conclave/custody";
import { bePresent, type Database, type Logger } from "@conclave/platform";
import { presenceUnknown } from "./log/process-events.ts";

const AWAY_MS = 1_000;

/** This process, as the others see it. */
export interface Presence {
  /** as whom the database knows it; undefined while it does not. Another name means that others may hold what was held before. */
  readonly presentAs: () => string | undefined;
  stop(): Promise<void>;
}

/**
 * Keeps this process present in the database until it is stopped, so that others take over what it holds as soon as it ends. A process that
 * cannot reach the database is not present, and comes back under another name.
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
