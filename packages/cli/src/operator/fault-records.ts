import { setTimeout as delay } from "node:timers/promises";
import { faultRecordOf, type ProvenDeviation } from "@conclave/platform/coordination";
import { insertFault, openDatabase } from "@conclave/platform/postgres";
import { databaseUrlOf } from "./database-url.ts";

/** Where the records are: the cluster's folder, and DATABASE_URL if it is set. */
export interface RecordsPlace {
  readonly state: string;
  readonly databaseUrl: string | undefined;
}

/**
 * A database that is busy, or starts again, answers late: the command tries so often, with a pause in
 * between.
 */
const ATTEMPTS_MAX = 5;
const PAUSE_MS = 1_000;

const insisting = async (record: () => Promise<unknown>): Promise<void> => {
  for (let attempt = 1; ; attempt += 1) {
    try {
      await record();
      return;
    } catch (error) {
      if (attempt === ATTEMPTS_MAX) throw error;
      await delay(PAUSE_MS);
    }
  }
};

/**
 * Records the signers that an operator's command proved to deviate, as an orchestrator records those that it
 * proves to (INV-7). `conclave faults` lists them, and exports the evidence. Without the database the command
 * only names them.
 *
 * @param say called with a line that says whether they are on record, if there is anything to record
 */
export const recordFaults = async (
  { state, databaseUrl }: RecordsPlace,
  blamed: readonly ProvenDeviation[],
  say: (line: string) => void,
): Promise<void> => {
  if (blamed.length === 0) return;
  const date = new Date().toISOString();
  try {
    const database = openDatabase({ url: databaseUrlOf(state, databaseUrl), name: "conclave-operator" });
    try {
      for (const one of blamed) await insisting(() => insertFault(database, faultRecordOf(one, date)));
    } finally {
      await database.close();
    }
    say("it is on record: `conclave faults` lists it, and exports the evidence");
  } catch (error) {
    say(`it is not on record: ${error instanceof Error ? error.message : String(error)}`);
  }
};
