import { createPublicKey, type KeyObject } from "node:crypto";
import { setMaxListeners } from "node:events";
import { join } from "node:path";
import { type ChainNode, FAMILIES, type FamilyRegistry } from "@conclave/chains";
import { connectGuarded, NODES, type NodeRegistry } from "@conclave/chains/node";
import type { World } from "@conclave/custody";
import {
  type Bus,
  ConfigurationError,
  collectProcessMetrics,
  connectBus,
  DatabaseClock,
  databaseConnectionBroke,
  FairTurns,
  hasPublicHalf,
  type Logger,
  loadNetworks,
  loadPrices,
  loadRoster,
  loadWebhookSecrets,
  makeHealth,
  makeMetrics,
  makeSender,
  makeTokenVerifier,
  openDatabase,
  type Roster,
  recordUnreadable,
  serviceReady,
  showSilentNodes,
  signersListing,
  startPruning,
} from "@conclave/platform";
import { ADMISSION_LIMITS } from "./admission/limits.ts";
import { shareDatabase } from "./admission/shared-database.ts";
import { makeApplication } from "./application.ts";
import { makeAuthority, makeRenewal } from "./authority.ts";
import { prepareDatabase } from "./bootstrap.ts";
import { startDeathStatements } from "./chain-request/death-statements.ts";
import { clockProblem, startClockWatch, whileClocksAgree } from "./clocks.ts";
import { startCoinGathering } from "./coin-gathering/gather-coins.ts";
import { type GatewayConfig, requestsPerMinute, userActionsRequired } from "./config.ts";
import type { Dependencies } from "./dependencies.ts";
import { bumpEvents } from "./fee-bump/bump-events.ts";
import { startFeeBumps } from "./fee-bump/fee-bumps.ts";
import { startHttpServer } from "./http/server.ts";
import { startKeyActivation } from "./key/activation.ts";
import { loadKeys } from "./key/keys.ts";
import { busStatusHeard, pruningFailed } from "./log-events.ts";
import { makeDecoys } from "./login/decoys.ts";
import { bodyReader } from "./reading/body-reader.ts";
import { type BodyReading, readingHere, shareReading } from "./reading/body-reading.ts";
import { openReadingThread, type ReadingThread } from "./reading/reading-thread.ts";
import { startAuthorisationRenewal } from "./renew-authorisations.ts";
import { makeTokenIssuer } from "./token-issuer.ts";
import { makeUserActions } from "./user-action/user-actions.ts";

const SETTLEMENT_WAIT_MS = 60_000;
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
  const webhookSecrets = await loadWebhookSecrets(join(config.CONCLAVE_GATEWAY_DIR, "webhook.key"));
  return { roster, networks, prices, keys, webhookSecrets };
};
type GatewayFiles = Awaited<ReturnType<typeof readFiles>>;

/** Connects to the database, and migrates it, and to the bus; waits until they are reachable. */
const connect = async (
  config: GatewayConfig,
  { logger, metrics, world }: Pick<Dependencies, "logger" | "metrics" | "world">,
) => {
  let bus: Bus | undefined;
  const unreadable = recordUnreadable(metrics);
  const database = openDatabase({
    url: config.DATABASE_URL,
    name: "gateway",
    world,
    announce: (subject) => bus?.signal(subject),
    onBreak: (err) => databaseConnectionBroke(logger, { err }),
    onUnreadable: (report) => unreadable(logger, report),
  });
  await prepareDatabase(world, database, config, logger);
  const databaseClock = new DatabaseClock(world);
  await databaseClock.measure(database);
  bus = await connectBus({
    url: config.CONCLAVE_NATS_URL,
    token: config.CONCLAVE_NATS_TOKEN,
    name: "gateway",
    onStatus: (status) => busStatusHeard(logger, { status }),
  });
  return { database, bus, databaseClock };
};
type Connections = Awaited<ReturnType<typeof connect>>;

interface Chains {
  readonly families: FamilyRegistry;
  /** nodes of the served networks, by the network's name */
  readonly chains: ReadonlyMap<string, ChainNode>;
  /** Ends the gateway's own probes of nodes. */
  readonly stop: () => void;
}

/** Connects each node behind a circuit breaker: while a node gives no answer, requests that need it fail at once. */
const connectChains = (
  { networks }: GatewayFiles,
  { families, nodes }: ChainParts,
  { logger, metrics, world }: Pick<Dependencies, "logger" | "metrics" | "world">,
): Chains => {
  const names = networks.map(({ network }) => String(network));
  const show = showSilentNodes(metrics, names, logger);
  const guarded = networks.map((entry) => {
    const network = String(entry.network);
    const onSilence = (isSilent: boolean): void => show(network, isSilent);
    return { network, ...connectGuarded(nodes.connect, entry, { ...world, onSilence }) };
  });
  return {
    families,
    chains: new Map(guarded.map(({ network, node }) => [network, node])),
    stop: () => {
      for (const each of guarded) each.stop();
    },
  };
};

/**
 * Opens a thread that reads bodies, if the families are the product's own: the thread does not know families that a
 * caller passes in.
 */
const openReader = (
  { networks }: GatewayFiles,
  { families, readingScript }: ChainParts,
): ReadingThread | undefined =>
  families === FAMILIES ? openReadingThread({ networks }, readingScript) : undefined;

const shareReader = (
  { families, chains }: Chains,
  thread: ReadingThread | undefined,
  world: World,
): BodyReading => {
  const reader = bodyReader({ families, chains });
  const turns = new FairTurns(world, ADMISSION_LIMITS.reading);
  return shareReading(reader, thread?.reader ?? readingHere(reader), turns);
};

const dependenciesOf = (
  config: GatewayConfig,
  { roster, networks, prices, keys, webhookSecrets }: GatewayFiles,
  { database: whole, bus, databaseClock }: Connections,
  { families, chains }: Chains,
  reading: BodyReading,
  process: Pick<Dependencies, "logger" | "metrics" | "stopping" | "world" | "now">,
): Dependencies => {
  const { clusterId } = roster;
  const { now, world } = process;
  const authority = whileClocksAgree(databaseClock, makeAuthority(keys.authority, clusterId, now));
  const allowPrivateAddresses = config.CONCLAVE_PRIVATE_WEBHOOKS === "allowed";
  const { database, onBehalfOf } = shareDatabase(whole, world, ADMISSION_LIMITS);
  return {
    ...process,
    database,
    onBehalfOf,
    keyTurns: new FairTurns(world, ADMISSION_LIMITS.keys),
    contractTurns: new FairTurns(world, ADMISSION_LIMITS.contracts),
    bus,
    verifyToken: makeTokenVerifier({ key: createPublicKey(keys.token), clusterId, now }),
    authority,
    userActions: makeUserActions({ database, key: keys.token, clusterId, world }),
    issuer: makeTokenIssuer({ key: keys.token, clusterId, world }),
    decoys: makeDecoys(world, keys.token, config.CONCLAVE_RELYING_PARTIES[0]),
    relyingParties: config.CONCLAVE_RELYING_PARTIES,
    pageOrigins: config.CONCLAVE_CORS_ORIGINS,
    proxies: config.CONCLAVE_PROXIES,
    userActionsRequired: userActionsRequired(config),
    threshold: roster.threshold,
    signers: signersListing(roster),
    roster,
    requestsPerMinute: requestsPerMinute(config),
    admission: ADMISSION_LIMITS,
    webhooks: {
      secrets: webhookSecrets,
      send: makeSender({ allowPrivateAddresses }),
      allowPrivateAddresses,
    },
    prices,
    networks: networks.map(({ network }) => network),
    families,
    chains,
    reading,
    databaseClock,
    health: makeHealth(healthChecks({ database, bus, databaseClock })),
    settlementWaitMs: SETTLEMENT_WAIT_MS,
  };
};

/**
 * Starts the work beside requests: pruning, the activation of keys, and statements that the authority signs without a
 * request.
 */
const startBackground = (
  { roster, networks, keys }: GatewayFiles,
  { database, bus, databaseClock }: Connections,
  { families, chains }: Chains,
  {
    authority,
    logger,
    now,
    world,
    prices,
    metrics,
    reading,
  }: Pick<Dependencies, "authority" | "logger" | "now" | "world" | "prices" | "metrics" | "reading">,
): readonly { readonly stop: () => Promise<void> }[] => [
  startClockWatch({ world, database, clock: databaseClock, logger }),
  startPruning({
    world,
    database,
    // a deletion is final, so the earlier of the two clocks decides that a row is too old
    now: databaseClock.earlierMs,
    onFailure: (err, table) => pruningFailed(logger, { err, table }),
  }),
  startKeyActivation({
    world,
    database,
    roster,
    addressOn: families.addressOn,
    signal: bus.signal,
    now,
    logger,
  }),
  startDeathStatements({ world, database, families, chains, authority, now, logger }),
  startAuthorisationRenewal({
    world,
    database,
    renewal: makeRenewal(keys.authority, roster.clusterId, authority),
    now,
    logger,
  }),
  startCoinGathering({ database, families, chains, authority, prices, now, world, logger }),
  startFeeBumps({
    database,
    families,
    chains,
    reading,
    authority,
    prices,
    now,
    world,
    logger,
    events: bumpEvents(
      metrics,
      networks.flatMap(({ network, feeBumps }) => (feeBumps === undefined ? [] : [network])),
    ),
  }),
];

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
  const stopping = new AbortController();
  // each request that waits for signers listens to the signal
  setMaxListeners(0, stopping.signal);
  const now = (): Date => new Date(world.nowMs());
  const metrics = makeMetrics("gateway");
  collectProcessMetrics(metrics);
  const process = { logger, metrics, stopping: stopping.signal, world, now };
  const thread = openReader(files, parts);
  // the thread starts while the main one waits for the database
  const [connections] = await Promise.all([connect(config, process), thread?.begin()]);
  const chains = connectChains(files, parts, process);
  const reading = shareReader(chains, thread, world);
  const dependencies = dependenciesOf(config, files, connections, chains, reading, process);
  const background = startBackground(files, connections, chains, dependencies);
  const server = await startHttpServer(world, makeApplication(dependencies), config.CONCLAVE_LISTEN);
  serviceReady(logger, { listen: config.CONCLAVE_LISTEN, clusterId: files.roster.clusterId });
  return {
    stop: async () => {
      dependencies.health.stopping();
      stopping.abort();
      await server.stop(STOP_GRACE_MS);
      await Promise.all(background.map((each) => each.stop()));
      chains.stop();
      await thread?.stop();
      await connections.bus.close();
      await connections.database.close();
    },
  };
};

const healthChecks = ({ database, bus, databaseClock }: Connections) => [
  { name: "database", check: async () => (await database.execute("select 1")) === 1 },
  { name: "message bus", check: () => bus.connected(), isSpared: true },
  { name: "clock", check: () => clockProblem(databaseClock) === undefined },
];

/** Checks the authority key: with another one, every accepted request would be refused by every signer. */
const mustBeAuthority = (key: KeyObject, roster: Roster): void => {
  if (!hasPublicHalf(key, roster.authorityKey)) {
    throw new ConfigurationError(
      "authority.key is not the key whose public half the roster names as authorityKey. Use the files of one cluster.",
    );
  }
};
