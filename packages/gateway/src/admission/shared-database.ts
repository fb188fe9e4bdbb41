import { AsyncLocalStorage } from "node:async_hooks";
import type { Database } from "@conclave/platform";
import type { FairTurns } from "./fair-turns.ts";
import { inTurn } from "./in-turn.ts";

/** A database whose connections organisations share. */
export interface SharedDatabase {
  readonly database: Database;
  /** Does an organisation's work: the transactions that it begins, directly or later, are the organisation's. */
  readonly onBehalfOf: <T>(organisation: string, work: () => Promise<T>) => Promise<T>;
}

/**
 * Gives each transaction its organisation's turn at a connection. One that waits for a lock keeps its connection meanwhile: so an
 * organisation has a share of the pool, and the others are served from the rest. Single statements take no turn: they wait for
 * nobody, and a transaction's caller may need one. Work on nobody's behalf takes none either.
 * @param turns as many at once as the pool has connections, less those that are left to single statements
 */
export const shareDatabase = (database: Database, turns: FairTurns): SharedDatabase => {
  const atWork = new AsyncLocalStorage<string>();
  const take = <T>(work: () => Promise<T>): Promise<T> => {
    const organisation = atWork.getStore();
    return organisation === undefined ? work() : inTurn(turns, organisation, work);
  };
  return {
    database: {
      ...database,
      transaction: (work) => take(() => database.transaction(work)),
      commit: (schema, text, values) => take(() => database.commit(schema, text, values)),
    },
    onBehalfOf: (organisation, work) => atWork.run(organisation, work),
  };
};
