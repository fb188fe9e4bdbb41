import { AsyncLocalStorage } from "node:async_hooks";
import type { World } from "@conclave/custody";
import { type Database, FairTurns, Outage } from "@conclave/platform";
import { inTurn } from "./in-turn.ts";
import type { AdmissionLimits } from "./limits.ts";

/** A database whose connections organisations share. */
export interface SharedDatabase {
  readonly database: Database;
  /**
   * Does an organisation's work: the transactions that it begins, directly or later, count as the organisation's.
   * @param isFirst before others of the organisation that wait
   */
  readonly onBehalfOf: <T>(organisation: string, work: () => Promise<T>, isFirst: boolean) => Promise<T>;
}

/**
 * Gives each transaction a turn of its organisation at a connection. A transaction holds its connection while it waits
 * for a lock, so an organisation gets only a share of the pool, and the others are served from the rest. Single
 * statements have separate turns, as the caller of a transaction may need one. Without a turn the result is an outage,
 * not a refusal, as the request may be stored already. Work without an organisation takes no turn.
 * @param limits of connections: fewer at once than the pool has
 */
export const shareDatabase = (
  database: Database,
  world: World,
  limits: Pick<AdmissionLimits, "connections" | "statements">,
): SharedDatabase => {
  const [turns, statements] = [
    new FairTurns(world, limits.connections),
    new FairTurns(world, limits.statements),
  ];
  const atWork = new AsyncLocalStorage<{ readonly organisation: string; readonly isFirst: boolean }>();
  const take = <T>(work: () => Promise<T>): Promise<T> => {
    const whose = atWork.getStore();
    return whose === undefined ? work() : inTurn(turns, whose.organisation, work, whose.isFirst);
  };
  const state = async <T>(work: () => Promise<T>): Promise<T> => {
    const whose = atWork.getStore();
    if (whose === undefined) return work();
    const turn = await statements.take(whose.organisation, whose.isFirst);
    if ("refused" in turn) throw new Outage("database", undefined);
    return work().finally(turn.end);
  };
  return {
    database: {
      ...database,
      rows: (schema, text, values) => state(() => database.rows(schema, text, values)),
      listed: (schema, text, values) => state(() => database.listed(schema, text, values)),
      execute: (text, values) => state(() => database.execute(text, values)),
      transaction: (work) => take(() => database.transaction(work)),
      commit: (schema, text, values) => take(() => database.commit(schema, text, values)),
    },
    onBehalfOf: (organisation, work, isFirst) => atWork.run({ organisation, isFirst }, work),
  };
};
