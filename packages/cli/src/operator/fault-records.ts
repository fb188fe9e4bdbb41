import { setTimeout as delay } from "node:timers/promises";
import { faultRecordOf, type ProvenDeviation } from "@conclave/platform/coordination";
import { insertFault, openDatabase } from "@conclave/platform/postgres";
import { databaseUrlOf } from "./database-url.ts";

/** Where the records are: the cluster's folder, and DATABASE_URL if it is set. */
export interface RecordsPlace {
  readonly state: string;
  readonly databaseUrl: string | undefined;
}

/** The command retries this often, with a pause in between, because a database that is busy or restarting answers late. */
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
 * Records the signers that an operator's command proved to deviate, as an orchestrator does in its own sessions (INV-7).
 * `conclave faults` lists these records and exports their evidence. Without a database the command only prints the names.
 *
 * @param say called with a line that says whether the faults are on record, if there are any
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
