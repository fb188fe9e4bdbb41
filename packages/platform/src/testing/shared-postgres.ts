import { randomBytes } from "node:crypto";
import { Client } from "pg";
import { inject } from "vitest";
import type { TestProject } from "vitest/node";
import { openDatabase } from "../postgres/database.ts";
import { migrate } from "../postgres/migrate.ts";
import { startPostgresServer } from "./postgres-server.ts";

declare module "vitest" {
  interface ProvidedContext {
    readonly postgresUrl: string;
  }
}

const TEMPLATE = "conclave_template";

/** Vitest's global setup of a package: one PostgreSQL for all its test files, and a migrated database to copy from. */
export const setup = async ({ provide }: Pick<TestProject, "provide">): Promise<() => Promise<void>> => {
  const server = await startPostgresServer({ connections: 400, inMemory: true });
  const { url } = await server.createDatabase();
  const template = withName(url, TEMPLATE);
  await execute(url, `create database ${TEMPLATE}`);
  const database = openDatabase({ url: template, name: "template" });
  await migrate(database);
  await database.close();
  provide("postgresUrl", url);
  return () => server.stop();
};

const withName = (url: string, name: string): string => {
  const copy = new URL(url);
  copy.pathname = `/${name}`;
  return copy.href;
};

const execute = async (url: string, statement: string): Promise<void> => {
  const client = new Client({ connectionString: url });
  await client.connect();
  try {
    await client.query(statement);
  } finally {
    await client.end();
  }
};

/**
 * Creates a database on the package's shared server, for a test file that does not stop the server.
 *
 * @param content "migrated": all tables without rows; "empty": no tables
 * @returns postgres://…
 */
export const freshDatabase = async (content: "migrated" | "empty" = "migrated"): Promise<string> => {
  const url = inject("postgresUrl");
  const name = `conclave_${randomBytes(8).toString("hex")}`;
  await execute(url, `create database ${name}${content === "migrated" ? ` template ${TEMPLATE}` : ""}`);
  return withName(url, name);
};
