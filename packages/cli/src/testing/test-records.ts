import { type Database, migrate, openDatabase } from "@conclave/platform";
import { startPostgresServer } from "@conclave/platform/testing";

/** A database for one test, and the place by which commands find it. */
export interface TestRecords {
  readonly database: Database;
  readonly place: { readonly state: string; readonly databaseUrl: string };
  readonly stop: () => Promise<void>;
}

export const startTestRecords = async (): Promise<TestRecords> => {
  const server = await startPostgresServer();
  const { url } = await server.createDatabase();
  const database = openDatabase({ url, name: "test" });
  await migrate(database);
  return {
    database,
    place: { state: "/nowhere", databaseUrl: url },
    stop: async () => {
      await database.close();
      await server.stop();
    },
  };
};
