import type { OrganisationId, World } from "@conclave/custody";
import {
  bootstrapOrganisation,
  ConfigurationError,
  type Database,
  type FirstUser,
  type Logger,
  migrate,
  Outage,
  readJsonFile,
} from "@conclave/platform";
import { credentialsFileSchema, type GatewayConfig } from "./config.ts";
import { databaseAwaited, databaseMigrated, databaseMigrating } from "./log-events.ts";

const DATABASE_RETRY_MS = 1_000;

/**
 * Migrates the database, grants orchestrators their rights in it, and adds the first organisation and its
 * administrators, if the configuration names them.
 */
export const prepareDatabase = async (
  world: World,
  database: Database,
  config: GatewayConfig,
  logger: Logger,
): Promise<void> => {
  const applied = await migrateOnceItAnswers(world, database, config, logger);
  if (applied.length > 0) databaseMigrated(logger, { applied });
  const first = config.CONCLAVE_BOOTSTRAP_ORGANISATION;
  if (first === undefined) return;
  await bootstrapOrganisation(world, database, first, {
    users: await firstUsers(config, first.id),
    serviceAccounts: [],
  });
};

/** The administrators in the file of credentials that belong to the organisation. */
const firstUsers = async (
  config: GatewayConfig,
  organisation: OrganisationId,
): Promise<readonly FirstUser[]> => {
  const path = config.CONCLAVE_BOOTSTRAP_CREDENTIALS;
  if (path === undefined) return [];
  const listed = await readJsonFile(path, "the credentials", credentialsFileSchema);
  const foreign = listed.find(({ orgId }) => orgId !== organisation);
  if (foreign !== undefined) {
    throw new ConfigurationError(
      `${path} names a user of ${foreign.orgId}, and CONCLAVE_BOOTSTRAP_ORGANISATION is ${organisation}. Name one organisation.`,
    );
  }
  return listed.map(({ orgId, userId, name, credId, publicKey }) => ({
    orgId,
    userId,
    username: name,
    credential: { id: credId, publicKey },
  }));
};

const migrateOnceItAnswers = async (
  world: World,
  database: Database,
  config: GatewayConfig,
  logger: Logger,
): Promise<readonly string[]> => {
  for (;;) {
    try {
      return await migrate(database, {
        orchestrator: config.CONCLAVE_ORCHESTRATOR_LOGIN,
        report: (news) => databaseMigrating(logger, news),
      });
    } catch (error) {
      if (!(error instanceof Outage)) throw error;
      // logged every second, so in one sentence: the awaited part, and the network's error
      const reason = error.cause instanceof Error ? error.cause.message : error.message;
      databaseAwaited(logger, { reason });
      await world.sleep(DATABASE_RETRY_MS);
    }
  }
};
