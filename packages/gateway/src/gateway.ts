import { createPublicKey, type KeyObject } from "node:crypto";
import { join } from "node:path";
import { FAMILIES, type FamilyRegistry } from "@conclave/chains";
import { NODES, type NodeRegistry } from "@conclave/chains/node";
import type { World } from "@conclave/custody";
import {
  ConfigurationError,
  collectProcessMetrics,
  connectBus,
  hasPublicHalf,
  type Logger,
  loadNetworks,
  loadPrices,
  loadRoster,
  loadWebhookSecrets,
  makeMetrics,
  makeSender,
  makeTokenVerifier,
  openDatabase,
  type Roster,
  serviceReady,
  within,
} from "@conclave/platform";
import { loadIdentityProviders } from "@conclave/platform/identity-provider";
import { makeApplication } from "./application.ts";
import { type AssembledGateway, assembleGateway, FAILED_START_MS } from "./assembly/assemble-gateway.ts";
import type { GatewayParts, TokenParts } from "./assembly/parts.ts";
import { prepareDatabase } from "./bootstrap.ts";
import { type GatewayConfig, requestsPerMinute, userActionsRequired } from "./config.ts";
import { type HttpServer, startHttpServer } from "./http/server.ts";
import { loadKeys } from "./key/keys.ts";
import { busStatusHeard } from "./log-events.ts";
import { makeDecoys } from "./login/decoys.ts";
import { makeIdentityProviders } from "./login/identity-provider/identity-providers.ts";
import { openReadingThread, type ReadingThread } from "./reading/reading-thread.ts";
import { makeTokenIssuer } from "./token-issuer.ts";
import { makeActionTokens } from "./user-action/action-tokens.ts";

const NAME = "gateway";
/**
 * How long a stopping gateway waits for its requests: callers that wait for a result are answered at once, and other
 * requests take less.
 */
const STOP_GRACE_MS = 1_500;

export interface Gateway {
  /** Answers the requests under way, then closes everything. */
  stop(): Promise<void>;
}

/** The chain families that a gateway serves, and the access to their nodes. */
export interface ChainParts {
  readonly families: FamilyRegistry;
  readonly nodes: NodeRegistry;
  /** the compiled reading/worker.ts; by default the one beside the compiled gateway */
  readonly readingScript?: URL;
}

/** Reads the files of a gateway's configuration. */
const readFiles = async (config: GatewayConfig, families: FamilyRegistry) => {
  const roster = await loadRoster(config.CONCLAVE_ROSTER);
  const networks = await loadNetworks(config.CONCLAVE_NETWORKS, families);
  const prices = await loadPrices(config.CONCLAVE_PRICES, families);
  const keys = await loadKeys(config);
  mustBeAuthority(keys.authority, roster);
  const providers = await loadIdentityProviders(config.CONCLAVE_IDENTITY_PROVIDERS);
  const webhookSecrets = await loadWebhookSecrets(join(config.CONCLAVE_GATEWAY_DIR, "webhook.key"));
  return { roster, networks, prices, keys, providers, webhookSecrets };
};
type GatewayFiles = Awaited<ReturnType<typeof readFiles>>;

/**
 * Opens a thread that reads bodies, if the families are the product's own: the thread does not know families that a
 * caller passes in.
 */
const openReader = (
  { networks }: GatewayFiles,
  { families, readingScript }: ChainParts,
): ReadingThread | undefined =>
  families === FAMILIES ? openReadingThread({ networks }, readingScript) : undefined;

const tokensOf = ({ keys, roster: { clusterId } }: GatewayFiles, world: World): TokenParts => {
  const ours = { key: keys.token, clusterId, world };
  const now = (): Date => new Date(world.nowMs());
  return {
    verify: makeTokenVerifier({ key: createPublicKey(keys.token), clusterId, now }),
    issuer: makeTokenIssuer(ours),
    actions: makeActionTokens(ours),
  };
};

/** The database and the bus of a process. */
const servicesOf = (
  config: GatewayConfig,
  logger: Logger,
  world: World,
): Pick<GatewayParts, "openDatabase" | "prepareDatabase" | "connectBus"> => ({
  openDatabase: (listeners) => openDatabase({ url: config.DATABASE_URL, name: NAME, world, ...listeners }),
  prepareDatabase: (database) => prepareDatabase(world, database, config, logger),
  connectBus: () =>
    connectBus({
      url: config.CONCLAVE_NATS_URL,
      token: config.CONCLAVE_NATS_TOKEN,
      name: NAME,
      onStatus: (status) => busStatusHeard(logger, { status }),
    }),
});

const partsOf = (
  config: GatewayConfig,
  logger: Logger,
  world: World,
  files: GatewayFiles,
  parts: ChainParts,
): GatewayParts => {
  const { roster, networks, prices, keys, providers, webhookSecrets } = files;
  const metrics = makeMetrics(NAME);
  collectProcessMetrics(metrics);
  const allowPrivateAddresses = config.CONCLAVE_PRIVATE_WEBHOOKS === "allowed";
  return {
    ...servicesOf(config, logger, world),
    world,
    logger,
    metrics,
    roster,
    networks,
    prices,
    families: parts.families,
    nodes: parts.nodes,
    authorityKey: keys.authority,
    tokens: tokensOf(files, world),
    decoys: makeDecoys(world, keys.token, config.CONCLAVE_RELYING_PARTIES[0]),
    identityProviders: makeIdentityProviders(providers, keys.token, { world, logger }),
    webhooks: {
      secrets: webhookSecrets,
      send: makeSender({ allowPrivateAddresses }),
      allowPrivateAddresses,
    },
    relyingParties: config.CONCLAVE_RELYING_PARTIES,
    pageOrigins: config.CONCLAVE_CORS_ORIGINS,
    proxies: config.CONCLAVE_PROXIES,
    userActionsRequired: userActionsRequired(config),
    requestsPerMinute: requestsPerMinute(config),
    reader: openReader(files, parts),
  };
};

/**
 * Starts a gateway: keys, database (migrated), bus, REST. It waits until database and bus are reachable.
 * @throws ConfigurationError when it can never start like this, for example without a file of its bundle
 */
export const startGateway = async (
  config: GatewayConfig,
  logger: Logger,
  world: World,
  parts: ChainParts = { families: FAMILIES, nodes: NODES },
): Promise<Gateway> => {
  const files = await readFiles(config, parts.families);
  const assembled = await assembleGateway(partsOf(config, logger, world, files, parts));
  const server = await serve(assembled, world, config.CONCLAVE_LISTEN);
  serviceReady(logger, { listen: config.CONCLAVE_LISTEN, clusterId: files.roster.clusterId });
  return {
    stop: async () => {
      assembled.endWaits();
      await server.stop(STOP_GRACE_MS);
      await assembled.stop();
    },
  };
};

/** Serves callers. If that fails, for example because the port is taken, the gateway is stopped. */
const serve = async (
  assembled: AssembledGateway,
  world: World,
  listen: GatewayConfig["CONCLAVE_LISTEN"],
): Promise<HttpServer> => {
  try {
    return await startHttpServer(world, makeApplication(assembled.dependencies), listen);
  } catch (error) {
    // if closing fails too, the first error is the cause
    await within(world, FAILED_START_MS, assembled.stop()).catch(() => undefined);
    throw error;
  }
};

/** Checks the authority key: with another one, every accepted request would be refused by every signer. */
const mustBeAuthority = (key: KeyObject, roster: Roster): void => {
  if (!hasPublicHalf(key, roster.authorityKey)) {
    throw new ConfigurationError(
      "authority.key is not the key whose public half the roster names as authorityKey. Use the files of one cluster.",
    );
  }
};
