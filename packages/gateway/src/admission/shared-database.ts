import { AsyncLocalStorage } from "node:async_hooks";
import type { Database } from "@conclave/platform";
import type { FairTurns } from "./fair-turns.ts";
import { inTurn } from "./in-turn.ts";

/** A database whose connections organisations share. */
export interface SharedDatabase {
  readonly database: Database;
  /**
   * Does an organisation's work: the transactions that it begins, directly or later, are the organisation's.
   * @param isFirst before others of the organisation that wait
   */
  readonly onBehalfOf: <T>(organisation: string, work: () => Promise<T>, isFirst: boolean) => Promise<T>;
}

/**
 * Gives each transaction its organisation's turn at a connection. One that waits for a lock keeps its connection meanwhile: so an
 * organisation has a share of the pool, and the others are served from the rest. Single statements take no turn: they wait for
 * nobody, and a transaction's caller may need one. Work on nobody's behalf takes none either.
 * @param turns as many at once as the pool has connections, less those that are left to single statements
 */
export const shareDatabase = (database: Database, turns: FairTurns): SharedDatabase => {
  const atWork = new AsyncLocalStorage<{ readonly organisation: string; readonly isFirst: boolean }>();
  const take = <T>(work: () => Promise<T>): Promise<T> => {
    const whose = atWork.getStore();
    return whose === undefined ? work() : inTurn(turns, whose.organisation, work, whose.isFirst);
  };
  return {
    database: {
      ...database,
      transaction: (work) => take(() => database.transaction(work)),
      commit: (schema, text, values) => take(() => database.commit(schema, text, values)),
    },
    onBehalfOf: (organisation, work, isFirst) => atWork.run({ organisation, isFirst }, work),
  };
};
