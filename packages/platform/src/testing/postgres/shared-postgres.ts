import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { createServer } from "node:http";
import { Client, DatabaseError } from "pg";
import { inject } from "vitest";
import type { TestProject } from "vitest/node";
import { z } from "zod";
import { dropAfterFile } from "./databases-of-file.ts";
import type { TemplateServer } from "./template-server.ts";

declare module "vitest" {
  interface ProvidedContext {
    /** URL that returns the shared PostgreSQL's address; the first request starts the server */
    readonly postgresFrom: string;
  }
}

const addressSchema = z.object({ port: z.number() });

/**
 * Vitest's global setup: one PostgreSQL for all test files of a run, with a migrated database to copy from. It starts when the first
 * file asks for a database, so that tests without one do not wait for it.
 */
export const setup = async ({ provide }: Pick<TestProject, "provide">): Promise<() => Promise<void>> => {
  let started: Promise<TemplateServer> | undefined;
  const door = createServer((_, response) => {
    started ??= import("./template-server.ts").then(({ startTemplateServer }) => startTemplateServer());
    started.then(
      ({ url, template }) => response.end(JSON.stringify({ url, template })),
      (error) => response.writeHead(500).end(String(error)),
    );
  });
  await once(door.listen(0, "127.0.0.1"), "listening");
  provide("postgresFrom", `http://127.0.0.1:${addressSchema.parse(door.address()).port}`);
  return async () => {
    door.close();
    await (await started)?.stop();
  };
};

const sharedSchema = z.object({ url: z.string(), template: z.string() });
type Shared = z.output<typeof sharedSchema>;
let known: Promise<Shared> | undefined;

const askForServer = async (): Promise<Shared> => {
  const answer = await fetch(inject("postgresFrom"));
  if (!answer.ok) throw new Error(`the tests' PostgreSQL does not start: ${await answer.text()}`);
  return sharedSchema.parse(await answer.json());
};

const queryOnce = async (url: string, text: string): Promise<void> => {
  const client = new Client({ connectionString: url });
  await client.connect();
  try {
    await client.query(text);
  } finally {
    await client.end();
  }
};

/** PostgreSQL's code for a database with connections. */
const IN_USE = "55006";

/** Drops a database, unless the test file left a connection to it open. */
const dropUnused = async (url: string, name: string): Promise<void> => {
  try {
    await queryOnce(url, `drop database ${name}`);
  } catch (error) {
    if (!(error instanceof DatabaseError) || error.code !== IN_USE) throw error;
  }
};

/**
 * Creates a database on the shared server, for a test file that does not stop the server. It is dropped when the file has ended: all
 * files' databases together have several gigabytes, in memory.
 *
 * @param content "migrated": all tables without rows; "empty": no tables
 * @returns postgres://…
 */
export const freshDatabase = async (content: "migrated" | "empty" = "migrated"): Promise<string> => {
  known ??= askForServer();
  const { url, template } = await known;
  const name = `conclave_${randomBytes(8).toString("hex")}`;
  await queryOnce(url, `create database ${name}${content === "migrated" ? ` template ${template}` : ""}`);
  dropAfterFile(() => dropUnused(url, name));
  const copy = new URL(url);
  copy.pathname = `/${name}`;
  return copy.href;
};
