import { openDatabase } from "@conclave/platform/postgres";
import { databaseUrlOf } from "./database-url.ts";
import type { RecordsPlace } from "./fault-records.ts";

/** Runs work with a cluster's database, and closes the connection. */
export const withRecords = async <Value>(
  { state, databaseUrl }: RecordsPlace,
  work: (database: ReturnType<typeof openDatabase>) => Promise<Value>,
): Promise<Value> => {
  const database = openDatabase({ url: databaseUrlOf(state, databaseUrl), name: "conclave-operator" });
  try {
    return await work(database);
  } finally {
    await database.close();
  }
};
