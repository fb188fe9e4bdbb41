import { randomBytes } from "node:crypto";
import { type Database, openDatabase } from "../postgres/database.ts";
import { migrate } from "../postgres/migrate.ts";
import { freshDatabase } from "./postgres/shared-postgres.ts";

/**
 * Creates a login with exactly the rights of orchestrators, so that a test's orchestrator can do no more than one in
 * production.
 *
 * @param ownerUrl the database's URL for the owner of the tables
 * @returns the database's URL for orchestrators, postgres://…; the role disappears with the server
 */
export const orchestratorLogin = async (ownerUrl: string): Promise<string> => {
  const login = `orchestrator_${randomBytes(8).toString("hex")}`;
  const password = randomBytes(16).toString("hex");
  const owner = openDatabase({ url: ownerUrl, name: "owner" });
  try {
    await owner.execute(`create role ${login} login password '${password}'`);
    await migrate(owner, { orchestrator: login });
  } finally {
    await owner.close();
  }
  const url = new URL(ownerUrl);
  [url.username, url.password] = [login, password];
  return url.href;
};

/** A fresh database with two logins: the gateway's, which owns the tables, and an orchestrator's. */
export const openLogins = async () => {
  const url = await freshDatabase();
  const owner: Database = openDatabase({ url, name: "gateway" });
  const orchestrator: Database = openDatabase({ url: await orchestratorLogin(url), name: "orchestrator" });
  const close = async (): Promise<void> => {
    await orchestrator.close();
    await owner.close();
  };
  return { owner, orchestrator, close };
};
