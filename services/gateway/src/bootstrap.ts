import { setTimeout as pause } from "node:timers/promises";
import {
  type Database,
  insertCredential,
  insertOrganisation,
  type Logger,
  migrate,
  Outage,
  readJsonFile,
} from "@conclave/platform";
import { type Config, credentialsFileSchema } from "./config.ts";

const DATABASE_RETRY_MS = 1_000;

/** Migrates the database and adds the first organisation and credentials, if the configuration names them. */
export const prepareDatabase = async (database: Database, config: Config, logger: Logger): Promise<void> => {
  const applied = await migrateOnceItAnswers(database, logger);
  if (applied.length > 0) logger.info({ applied }, "migrated the database");
  const dateCreated = new Date().toISOString();
  const first = config.CONCLAVE_BOOTSTRAP_ORGANISATION;
  if (first !== undefined) await insertOrganisation(database, { ...first, dateCreated });
  const path = config.CONCLAVE_BOOTSTRAP_CREDENTIALS;
  if (path === undefined) return;
  for (const { credId, ...credential } of await readJsonFile(
    path,
    "the credentials",
    credentialsFileSchema,
  )) {
    await insertCredential(database, { ...credential, id: credId, isActive: true, dateCreated });
  }
};

const migrateOnceItAnswers = async (database: Database, logger: Logger): Promise<readonly string[]> => {
  for (;;) {
    try {
      return await migrate(database);
    } catch (error) {
      if (!(error instanceof Outage)) throw error;
      logger.warn({ err: error }, "waiting for the database");
      await pause(DATABASE_RETRY_MS);
    }
  }
};
