import { randomUUID } from "node:crypto";
import { setTimeout as pause } from "node:timers/promises";
import { FAMILIES, type FamilyRegistry } from "@conclave/chains";
import { NODES, type NodeRegistry } from "@conclave/chains/node";
import type { RosterMember } from "@conclave/cluster";
import { networkSchema } from "@conclave/custody";
import {
  type Bus,
  type BusMessage,
  claimPresignatures,
  connectBus,
  type Database,
  type Disposition,
  type EnabledNetworks,
  forgetLapsedLeases,
  isMigrated,
  type Logger,
  makeHealth,
  makeSender,
  membersOf,
  openDatabase,
  type Roster,
  releasePresignatures,
  requeueForStore,
  startRelay,
  type WebhookSecrets,
} from "@conclave/platform";
import { type BlamedSigner, type Signer, Signers } from "@conclave/platform/coordination";
import type { PartyIndex } from "@conclave/threshold";
import { EXPIRY_MS, expireApprovals } from "./approvals.ts";
import type { ServedChain } from "./chain-requests/served-chain.ts";
import { handleChainRequest } from "./chain-requests/work.ts";
import { Coordinators } from "./coordinators.ts";
import { watchDeposits } from "./deposits/watch-deposits.ts";
import { checkedStep, recordFault } from "./faults.ts";
import { makeFollower } from "./following/follower.ts";
import { orchestratorRoutes, type StatusServer, serveHttp } from "./http.ts";
import { handleKeyExport } from "./keys/key-exports.ts";
import { handleKey } from "./keys/keys.ts";
import { settleLeftoverEpochs } from "./keys/leftover-epochs.ts";
import { settleLeftoverShares } from "./keys/leftover-shares.ts";
import { Rotation } from "./keys/rotation.ts";
import { type Loop, startLoop } from "./loop.ts";
import { type OrchestratorMetrics, orchestratorMetrics } from "./metrics.ts";
import { Leases } from "./presignatures/leases.ts";
import { PresignatureStock, type StockMarks } from "./presignatures/stock.ts";
import { ClusterReadiness } from "./readiness.ts";
import { handleSignature } from "./signatures/work.ts";
import { startDeliveries } from "./webhooks.ts";

/** Requests of one kind that are worked on at a time. Wallets are independent, each orders its own requests. */
const CHAIN_REQUESTS_AT_A_TIME = 4;
const KEYS_AT_A_TIME = 2;
const SIGNATURES_AT_A_TIME = 4;
const DATABASE_CONNECTIONS = 16;
const AFTER_FAILURE_MS = 1_000;
const UNMIGRATED_MS = 100;
/** Each broadcast asks for a look at its chain; many a second are not to be as many looks. */
const FOLLOWING_MS_LEAST = 50;
/** How often leases that lapsed long ago are deleted. */
const FORGET_LEASES_MS = 10 * 60_000;
/** Work under way gets this long at a stop; what is left is taken up by the next process (INV-5). */
const STOP_MS = 5_000;

export interface OrchestratorParts {
  readonly roster: Pick<Roster, "threshold" | "signers">;
  readonly networks: EnabledNetworks;
  /** the chain families and their nodes, where they are others than those that are built */
  readonly families?: FamilyRegistry;
  readonly nodes?: NodeRegistry;
  readonly signers: readonly Signer[];
  readonly databaseUrl: string;
  readonly nats: { readonly url: string; readonly token: string };
  readonly listen: { readonly host: string; readonly port: number };
  readonly logger: Logger;
  /** how many presignatures are kept ready */
  readonly presignatures: StockMarks;
  /** how events reach webhooks */
  readonly webhooks: { readonly secrets: WebhookSecrets; readonly allowPrivateAddresses: boolean };
}

export interface Orchestrator {
  /** where health, metrics and status are served */
  readonly port: number;
  /** Takes no more work, gives what is under way a moment, closes everything. Idempotent. */
  stop(): Promise<void>;
}

/** What everything below works with. */
interface Core {
  readonly families: FamilyRegistry;
  readonly logger: Logger;
  readonly database: Database;
  readonly bus: Bus;
  readonly chains: ReadonlyMap<string, ServedChain>;
  readonly signers: Signers;
  readonly coordinators: Coordinators;
  /** as it pins the signers */
  readonly roster: ReadonlyMap<PartyIndex, RosterMember>;
  readonly readiness: ClusterReadiness;
  readonly leases: Leases;
  readonly stock: PresignatureStock;
  readonly metrics: OrchestratorMetrics;
}

/** Connects everything and begins to work; resolves once requests are taken and HTTP is served. */
export const startOrchestrator = async (parts: OrchestratorParts): Promise<Orchestrator> => {
  const core = await connect(parts);
  const { database, bus, logger } = core;
  core.signers.start();
  const failed = (what: string) => (error: unknown) => logger.error({ err: error }, `${what} failed`);
  const relay = startRelay({ database, publish: bus.publish, onFailure: failed("the outbox relay") });
  const loops = startLoops(core, failed);
  const deliveries = startDeliveries({
    database,
    secrets: parts.webhooks.secrets,
    send: makeSender(parts.webhooks),
    now: Date.now,
    logger,
  });
  const work = await takeRequests(core, parts.roster, loops.following, failed);
  const health = makeHealth([
    { name: "database", check: async () => (await database.execute("select 1")) >= 0 },
    { name: "bus", check: () => bus.connected() },
  ]);
  const http = await serveHttp(
    orchestratorRoutes({
      health,
      metrics: core.metrics,
      readiness: () => core.readiness.state,
      threshold: parts.roster.threshold,
      signers: () => core.signers.view(),
      presignatures: () => core.stock.view,
      signed: () => core.coordinators.signed,
      networks: parts.networks.map(({ network }) => network),
    }),
    parts.listen,
  );
  const close = async (): Promise<void> => {
    health.stopping();
    core.readiness.stop();
    const ending = Promise.all([...work, ...loops.all, deliveries, relay].map((part) => part.stop()));
    await core.coordinators.stop();
    await within(STOP_MS, ending);
    await within(STOP_MS, core.leases.release().catch(failed("releasing presignatures")));
    await disconnect(core, http);
  };
  let closing: Promise<void> | undefined;
  return {
    port: http.port,
    stop: () => {
      closing ??= close();
      return closing;
    },
  };
};

const idOf = ({ signers }: Pick<Roster, "signers">, party: number): string =>
  signers.find(({ index }) => index === party)?.id ?? `party-${party}`;

/** The gateway owns the tables and migrates them; whoever starts first waits here. */
const untilMigrated = async (database: Database, logger: Logger): Promise<void> => {
  if (await isMigrated(database)) return;
  logger.info("waits for the gateway to migrate the database");
  while (!(await isMigrated(database))) await pause(UNMIGRATED_MS);
};

const chainsOf = ({ families = FAMILIES, nodes = NODES, networks }: OrchestratorParts): Core["chains"] =>
  new Map(
    networks.map((entry): [string, ServedChain] => [
      entry.network,
      { family: families.familyOf(entry.network), node: nodes.connect(entry) },
    ]),
  );

/** A bus whose store is new has forgotten the requests that are under way: they are handed to it again (INV-5). */
const busOf = ({ nats, logger }: OrchestratorParts, database: Database): Promise<Bus> =>
  connectBus({
    ...nats,
    name: "conclave-orchestrator",
    onStatus: (status) => logger.debug({ status }, "message bus"),
    onStore: (store) =>
      void requeueForStore(database, store).catch((error: unknown) =>
        logger.error({ err: error }, "requests of a lost bus store are not requeued"),
      ),
  });

const connect = async (parts: OrchestratorParts): Promise<Core> => {
  const { logger, roster } = parts;
  const database = openDatabase({
    url: parts.databaseUrl,
    name: "conclave-orchestrator",
    maxConnections: DATABASE_CONNECTIONS,
    onBreak: (error) => logger.warn({ err: error }, "a database connection broke"),
  });
  await untilMigrated(database, logger);
  const bus = await busOf(parts, database);
  const signers = new Signers(roster, parts.signers);
  signers.onChange(() =>
    logger.info({ unavailable: signers.unavailable() }, "other signers answer than before"),
  );
  const metrics = orchestratorMetrics(signers, {
    stock: () => stock.view,
    signed: () => coordinators.signed,
  });
  const record = recordFault(database, logger);
  const blame = (blamed: BlamedSigner): void => {
    const { culprit, check } = blamed.verdict;
    metrics.faults.inc({ signer: idOf(roster, culprit), step: checkedStep(check) });
    void record(blamed);
  };
  const coordinators = new Coordinators(roster, signers, blame, logger);
  const readiness = new ClusterReadiness({ database, signers, coordinators, logger });
  const leases = leasesIn(database);
  const stock = new PresignatureStock({
    database,
    signers,
    leases,
    marks: parts.presignatures,
    live: () => coordinators.live,
    begun: () => coordinators.begun,
    isReady: () => readiness.state.kind === "ready",
    usable: () => coordinators.usable(),
    isApart: (set) => coordinators.isApart(set),
    slowness: (set) => coordinators.slowness(set),
    presign: (request) => coordinators.presign(request),
    nowMs: Date.now,
    logger,
  });
  coordinators.drawFrom(stock);
  const { families = FAMILIES } = parts;
  const chains = chainsOf(parts);
  return {
    families,
    logger,
    database,
    bus,
    chains,
    roster: membersOf(roster),
    signers,
    coordinators,
    readiness,
    leases,
    stock,
    metrics,
  };
};

/** Each process is a holder of its own: one that starts in another's place waits until the leases of that one lapse. */
const leasesIn = (database: Database): Leases => {
  const holder = randomUUID();
  return new Leases(
    {
      claim: (asked) => claimPresignatures(database, { ...asked, holder }),
      release: (ids) => releasePresignatures(database, holder, ids),
    },
    Date.now,
  );
};

type Failed = (what: string) => (error: unknown) => void;

const startLoops = (
  core: Core,
  failed: Failed,
): { readonly following: ReadonlyMap<string, Loop>; readonly all: readonly Loop[] } => {
  const { readiness, stock } = core;
  const loop: MakeLoop = (what, round, leastPauseMs = 0) =>
    startLoop({ round, onFailure: failed(what), pauseAfterFailureMs: AFTER_FAILURE_MS, leastPauseMs });
  const ready = loop("looking at the cluster's readiness", () => readiness.look());
  const shareTurns = new Rotation<PartyIndex>();
  const leftovers = loop("settling leftover shares", () => settleLeftoverShares(core, shareTurns));
  const epochTurns = new Rotation<PartyIndex>();
  const epochs = loop("settling leftover epochs", () => settleLeftoverEpochs(core, epochTurns));
  const presigning = loop("keeping presignatures ready", () => stock.look());
  const renewal = loop("renewing leases of presignatures", () => stock.renew());
  const lapsed = loop("forgetting lapsed leases", async () => {
    await forgetLapsedLeases(core.database);
    return FORGET_LEASES_MS;
  });
  const expiry = loop("expiring approvals", async () => {
    await expireApprovals(core.database, new Date().toISOString());
    return EXPIRY_MS;
  });
  const following = followingLoops(core, loop);
  const cluster = [ready, leftovers, epochs, presigning, renewal, lapsed, expiry];
  return { following, all: [...cluster, ...following.values(), ...depositLoops(core, loop)] };
};

type MakeLoop = (what: string, round: () => Promise<number>, leastPauseMs?: number) => Loop;

/** One loop for each network, so that a node that hangs keeps no other network waiting. */
const followingLoops = ({ chains, database, logger }: Core, loop: MakeLoop): ReadonlyMap<string, Loop> =>
  new Map(
    [...chains].map(([name, chain]) => {
      const network = networkSchema.parse(name);
      const follower = makeFollower({ database, chain, logger, network, nowMs: () => performance.now() });
      return [name, loop(`following ${network}`, follower.round, FOLLOWING_MS_LEAST)];
    }),
  );

/** Likewise. */
const depositLoops = (
  { chains, database, families, logger, metrics }: Core,
  loop: MakeLoop,
): readonly Loop[] =>
  [...chains.values()].map((chain) => {
    const network = networkSchema.parse(chain.node.network.network);
    const now = () => new Date().toISOString();
    const unread = (blocks: number) => metrics.unreadBlocks.set({ network }, blocks);
    const watch = { database, families, chain, network, now, unread, logger };
    return loop(`watching for deposits on ${network}`, () => watchDeposits(watch));
  });

const takeRequests = (
  core: Core,
  roster: Pick<Roster, "signers">,
  following: ReadonlyMap<string, Loop>,
  failed: Failed,
) => {
  const { bus, database, chains, coordinators, signers, stock, logger } = core;
  const chainRequests = handleChainRequest({
    database,
    chains,
    quorum: coordinators,
    logger,
    broadcasted: (network) => following.get(network)?.ring(),
    signal: bus.signal,
  });
  const signatures = handleSignature({
    database,
    families: core.families,
    networks: [...chains.values()].map(({ node }) => node.network),
    quorum: coordinators,
    signal: bus.signal,
    logger,
  });
  const keys = handleKey({
    database,
    networks: new Set(chains.keys()),
    signers,
    coordinators,
    signal: bus.signal,
    made: (keyId) => stock.noteUse(keyId),
    logger,
  });
  const exports = handleKeyExport({ database, roster, coordinators, signal: bus.signal, logger });
  const take = (
    request: "transfer" | "transaction" | "key" | "export" | "signature",
    concurrency: number,
    handle: Handle,
  ) =>
    bus.work({
      stream: "REQUESTS",
      durable: `${request}s`,
      subject: `conclave.request.${request}`,
      concurrency,
      handle: timed(core, request, handle),
      onFailure: failed(`a ${request} request`),
    });
  return Promise.all([
    take("transfer", CHAIN_REQUESTS_AT_A_TIME, chainRequests),
    take("transaction", CHAIN_REQUESTS_AT_A_TIME, chainRequests),
    take("key", KEYS_AT_A_TIME, keys),
    take("export", KEYS_AT_A_TIME, exports),
    take("signature", SIGNATURES_AT_A_TIME, signatures),
  ]);
};

type Handle = (message: BusMessage) => Promise<Disposition>;

const timed =
  ({ metrics }: Core, request: string, handle: Handle): Handle =>
  async (delivery) => {
    const end = metrics.deliverySeconds.startTimer({ request });
    const disposition = await handle(delivery);
    end({ disposition: disposition.kind });
    return disposition;
  };

const disconnect = async (core: Core, http: StatusServer): Promise<void> => {
  core.signers.close();
  await http.close();
  await core.bus.close();
  await core.database.close();
};

const within = async (milliseconds: number, work: Promise<unknown>): Promise<void> => {
  let timer: NodeJS.Timeout | undefined;
  const patience = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, milliseconds);
  });
  await Promise.race([work, patience]);
  clearTimeout(timer);
};
