import { FAMILIES, type FamilyRegistry } from "@conclave/chains";
import { connectGuarded, type GuardedNode, NODES, type NodeRegistry } from "@conclave/chains/node";
import type { RosterMember } from "@conclave/cluster";
import { isoNow, networkSchema, type World } from "@conclave/custody";
import {
  type Bus,
  claimPresignatures,
  connectBus,
  countDueRequests,
  type Database,
  DatabaseClock,
  DELIVERIES_SUBJECT,
  DUE_SUBJECT,
  databaseConnectionBroke,
  type EnabledNetworks,
  EVENTS_DEFAULTS,
  type EventStorage,
  forgetLapsedLeases,
  isMigrated,
  LANES,
  type Logger,
  listParked,
  makeHealth,
  makeSender,
  membersOf,
  OUTBOX_SUBJECT,
  openDatabase,
  pastIdentities,
  type Roster,
  recordUnreadable,
  releaseOfGone,
  releasePresignatures,
  type Slots,
  type Stoppable,
  showSilentNodes,
  startRelay,
  type UnreadableReport,
  type WebhookSecrets,
  withWallets,
} from "@conclave/platform";
import { type Signer, Signers } from "@conclave/platform/coordination";
import type { IdentityRoster, PartyIndex } from "@conclave/threshold";
import { EXPIRY_MS, expireApprovals } from "./approvals.ts";
import { type GatheringCount, gatheringCounter } from "./chain-requests/count-gatherings.ts";
import { KeptRecords, MARKED_EVERY_MS } from "./chain-requests/kept-records.ts";
import type { ServedChain } from "./chain-requests/served-chain.ts";
import { hasNothingSigned, lookAtChainRequest } from "./chain-requests/work.ts";
import { noticeDatabaseJumps } from "./clocks/notice-database-jumps.ts";
import { noticeJumps } from "./clocks/notice-jumps.ts";
import { noticeSignerClocks } from "./clocks/notice-signer-clocks.ts";
import { type CoordinatedRoster, Coordinators } from "./coordinators.ts";
import { noWatchMemory } from "./deposits/deposit-watch.ts";
import { tokenDescriber } from "./deposits/described-tokens.ts";
import { watchDeposits } from "./deposits/watch-deposits.ts";
import { recordFault } from "./faults.ts";
import { makeFollower } from "./following/follower.ts";
import { type NetworksInUse, networksInUse } from "./following/networks-in-use.ts";
import { orchestratorRoutes, type StatusServer, serveHttp } from "./http.ts";
import { lookAtKeyExport } from "./keys/key-exports.ts";
import { lookAtKey } from "./keys/keys.ts";
import { bringToEpoch, settleLeftoverEpochs } from "./keys/leftover-epochs.ts";
import { settleLeftoverShares } from "./keys/leftover-shares.ts";
import { Leftovers } from "./keys/leftovers.ts";
import { requestsTakenOver } from "./log/log-events.ts";
import { busStatusNoted, migrationAwaited, partFailed } from "./log/process-events.ts";
import { presignaturesNotReleased, signersChanged } from "./log/session-events.ts";
import { type Loop, startLoop } from "./loop.ts";
import { type OrchestratorMetrics, orchestratorMetrics } from "./metrics.ts";
import { type Presence, startPresence } from "./presence.ts";
import { Leases } from "./presignatures/leases.ts";
import { PresignatureStock, type StockMarks } from "./presignatures/stock.ts";
import type { RequestLook } from "./queue/disposition.ts";
import { makeWaitNotes } from "./queue/note-waiting.ts";
import { retryParked } from "./queue/parked.ts";
import { startTaking } from "./queue/take.ts";
import { ClusterReadiness } from "./readiness.ts";
import { lookAtSignature } from "./signatures/work.ts";
import { startDeliveries } from "./webhook-deliveries.ts";

/** Requests that are worked on at a time: of each network, and of each other kind. */
const CHAIN_REQUESTS_AT_A_TIME = 5;
const KEYS_AT_A_TIME = 2;
const SIGNATURES_AT_A_TIME = 4;
/** one of them is this process's presence */
const DATABASE_CONNECTIONS = 17;
const PARKED_SHOWN = 100;
const AFTER_FAILURE_MS = 1_000;
const UNMIGRATED_MS = 100;
/** The least pause between two rounds of following: each broadcast asks for one, and there may be many in a second. */
const FOLLOWING_MS_LEAST = 50;
/** How often orchestrators that are there no more are looked for. */
const GONE_MS = 500;
/** How often leases that lapsed long ago are deleted. */
const FORGET_LEASES_MS = 10 * 60_000;
/** Signers that serve answer sooner than this. Without them a request would be recorded as waiting, and looked at again only later. */
const FIRST_ANSWERS_MS = 2_000;
/** A stop takes no longer: what is left of the work is taken up by the next process (INV-5), and a database that hangs is left alone. */
const STOP_MS = 1_500;
/** Of that, for work under way: the rest is for giving back what is held. */
const WORK_MS = 1_000;

export interface OrchestratorParts {
  readonly world: World;
  readonly roster: CoordinatedRoster;
  readonly networks: EnabledNetworks;
  /** the chain families and their nodes, where they are others than those that are built */
  readonly families?: FamilyRegistry;
  readonly nodes?: NodeRegistry;
  readonly signers: readonly Signer[];
  readonly databaseUrl: string;
  readonly nats: { readonly url: string; readonly token: string };
  /** how the bus keeps public events, where it is otherwise than EVENTS_DEFAULTS says */
  readonly events?: EventStorage;
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

/** The dependencies of everything below. */
interface Core {
  readonly world: World;
  readonly families: FamilyRegistry;
  readonly logger: Logger;
  readonly database: Database;
  readonly bus: Bus;
  readonly chains: ReadonlyMap<string, ServedChain>;
  /** the circuit breakers of their nodes */
  readonly guards: readonly Pick<GuardedNode, "stop">[];
  readonly signers: Signers;
  readonly coordinators: Coordinators;
  /** as it pins the signers */
  readonly roster: ReadonlyMap<PartyIndex, RosterMember>;
  readonly past: readonly IdentityRoster[];
  readonly readiness: ClusterReadiness;
  readonly presence: Presence;
  readonly leases: Leases;
  /** the database's, measured at the start and again and again */
  readonly clock: DatabaseClock;
  readonly records: KeptRecords;
  readonly stock: PresignatureStock;
  readonly metrics: OrchestratorMetrics;
  /** counts what becomes of coins that the service gathers by itself */
  readonly gathered: NonNullable<GatheringCount["gathered"]>;
}

/** Connects everything and begins to work; resolves once requests are taken and HTTP is served. */
export const startOrchestrator = async (parts: OrchestratorParts): Promise<Orchestrator> => {
  const core = await connect(parts);
  const { database, bus, logger } = core;
  core.signers.start();
  bringOnWhoIsBehind(core);
  const failed = (part: string) => (err: unknown) => partFailed(logger, { part, err });
  const relay = startRelay({
    database,
    publish: bus.publish,
    hear: (ring) => bus.listen(OUTBOX_SUBJECT, ring),
    onFailure: failed("the outbox relay"),
  });
  const loops = startLoops(core, failed);
  const deliveries = startDeliveries({
    database,
    secrets: parts.webhooks.secrets,
    send: makeSender(parts.webhooks),
    hear: (ring) => bus.listen(DELIVERIES_SUBJECT, ring),
    world: { ...parts.world, nowMs: core.clock.nowMs },
    logger,
  });
  await core.signers.enoughWithin(FIRST_ANSWERS_MS);
  const taking = takeRequests(core, parts.roster, loops.following);
  const health = makeHealth([
    { name: "database", check: async () => (await database.execute("select 1")) >= 0 },
    { name: "bus", check: () => bus.connected(), isSpared: true },
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
      parked: () => listParked(database, PARKED_SHOWN),
      networks: parts.networks.map(({ network }) => network),
    }),
    parts.listen,
  );
  const working = [taking, ...loops.all, deliveries, relay];
  const close = async (): Promise<void> => {
    health.stopping();
    core.readiness.stop();
    for (const guard of core.guards) guard.stop();
    await within(parts.world, STOP_MS, endAll(core, working, http).catch(failed("the stop")));
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

/** Ends what works, gives back what this process holds, and closes its connections. */
const endAll = async (core: Core, working: readonly Stoppable[], http: StatusServer): Promise<void> => {
  const ending = Promise.all(working.map((part) => part.stop()));
  await core.coordinators.stop();
  await within(core.world, WORK_MS, ending);
  await core.leases.release().catch((err: unknown) => presignaturesNotReleased(core.logger, { err }));
  await core.presence.stop();
  await disconnect(core, http);
};

/** One look at a time for each signer and key: many requests meet the same signer at once. */
const bringOnWhoIsBehind = (core: Core): void => {
  const underWay = new Set<string>();
  core.coordinators.onBehind((signer, keyId) => {
    const name = `${signer}/${keyId}`;
    if (underWay.has(name)) return;
    underWay.add(name);
    void bringToEpoch(core, signer, keyId).finally(() => underWay.delete(name));
  });
};

/** The gateway owns the tables and migrates them; an orchestrator that starts before it waits here. */
const untilMigrated = async (world: World, database: Database, logger: Logger): Promise<void> => {
  if (await isMigrated(database)) return;
  migrationAwaited(logger, {});
  while (!(await isMigrated(database))) await world.sleep(UNMIGRATED_MS);
};

/** Each node has a circuit breaker: while one does not answer, requests that need it hear so at once, and give their places back. */
const chainsOf = (
  { families = FAMILIES, nodes = NODES, networks, logger, world }: OrchestratorParts,
  metrics: OrchestratorMetrics,
): Pick<Core, "chains" | "guards" | "gathered"> => {
  const names = networks.map(({ network }) => String(network));
  const show = showSilentNodes(metrics, names, logger);
  const guards = networks.map((entry) => {
    const onSilence = (isSilent: boolean): void => show(entry.network, isSilent);
    return connectGuarded(nodes.connect, entry, { ...world, onSilence });
  });
  const chains = guards.map(({ node }): [string, ServedChain] => {
    const { network } = node.network;
    return [network, { family: families.familyOf(network), node }];
  });
  const gathering = chains.flatMap(([network, { node }]) => (node.gathering === undefined ? [] : [network]));
  return { chains: new Map(chains), guards, gathered: gatheringCounter(metrics.registry, gathering) };
};

/** The database, migrated, which tells others through the bus what it has made due; and the bus. */
const connectBacking = async (
  parts: OrchestratorParts,
  onUnreadable: (report: UnreadableReport) => void,
): Promise<Pick<Core, "database" | "bus" | "clock" | "records">> => {
  const { logger } = parts;
  let bus: Bus | undefined;
  const database = openDatabase({
    url: parts.databaseUrl,
    name: "conclave-orchestrator",
    announce: (subject) => bus?.signal(subject),
    maxConnections: DATABASE_CONNECTIONS,
    onBreak: (err) => databaseConnectionBroke(logger, { err }),
    onUnreadable,
  });
  await untilMigrated(parts.world, database, logger);
  const clock = new DatabaseClock(parts.world);
  await clock.measure(database);
  bus = await connectBus({
    ...parts.nats,
    name: "conclave-orchestrator",
    events: parts.events ?? EVENTS_DEFAULTS,
    onStatus: (status) => busStatusNoted(logger, { status }),
  });
  const records = new KeptRecords({ database, world: parts.world, logger: parts.logger });
  return { database, bus, clock, records };
};

/** The signers as the cluster pins them, and the identities of before. */
const identitiesOf = (roster: CoordinatedRoster): Pick<Core, "roster" | "past"> => ({
  roster: membersOf(roster),
  past: pastIdentities(roster),
});

const connect = async (parts: OrchestratorParts): Promise<Core> => {
  const { logger, roster, world } = parts;
  // the metrics are made of what the database tells
  let onUnreadable = (_report: UnreadableReport): void => undefined;
  const backing = await connectBacking(parts, (report) => onUnreadable(report));
  const { database } = backing;
  const signers = new Signers(world, roster, parts.signers);
  signers.onChange(() => signersChanged(logger, { unavailable: signers.unavailable() }));
  const metrics = orchestratorMetrics(signers, {
    stock: () => stock.view,
    signed: () => coordinators.signed,
    due: () => countDueRequests(database),
  });
  const unreadable = recordUnreadable(metrics);
  onUnreadable = (report) => unreadable(logger, report);
  const record = recordFault({ database, logger, metrics, roster, world });
  const blame = (...fault: Parameters<typeof record>): void => void record(...fault);
  const coordinators = new Coordinators(world, roster, signers, blame, logger);
  const readiness = new ClusterReadiness({ database, signers, coordinators, logger });
  const presence = startPresence(database, world, logger);
  const leases = leasesIn(world, database);
  const stock = new PresignatureStock({
    database,
    signers,
    leases,
    marks: parts.presignatures,
    live: () => coordinators.live,
    begun: () => coordinators.begun,
    isReady: () => readiness.state.kind === "ready",
    usable: () => coordinators.usable(),
    holders: coordinators.holders,
    isApart: (set) => coordinators.isApart(set),
    slowness: (set) => coordinators.slowness(set),
    presign: (request) => coordinators.presign(request),
    world,
    logger,
  });
  coordinators.drawFrom(stock);
  return {
    ...chainsOf(parts, metrics),
    ...backing,
    world,
    families: parts.families ?? FAMILIES,
    logger,
    ...identitiesOf(roster),
    signers,
    coordinators,
    readiness,
    presence,
    leases,
    stock,
    metrics,
  };
};

/** Each process is a holder of its own: one that starts in another's place waits until the leases of that one lapse. */
const leasesIn = (world: World, database: Database): Leases => {
  const holder = world.freshUuid();
  return new Leases(
    {
      claim: (asked) => claimPresignatures(database, { ...asked, holder }),
      release: (ids) => releasePresignatures(database, holder, ids),
    },
    world.monotonicMs,
  );
};

type Failed = (what: string) => (error: unknown) => void;

const startLoops = (
  core: Core,
  failed: Failed,
): { readonly following: ReadonlyMap<string, Loop>; readonly all: readonly Loop[] } => {
  const { readiness, stock } = core;
  const loop: MakeLoop = (what, round, leastPauseMs = 0) =>
    startLoop({
      world: core.world,
      round,
      onFailure: failed(what),
      pauseAfterFailureMs: AFTER_FAILURE_MS,
      leastPauseMs,
    });
  const ready = loop("looking at the cluster's readiness", () => readiness.look());
  const pending = new Leftovers("pending");
  const leftovers = loop("settling leftover shares", () => settleLeftoverShares(core, pending));
  const waiting = new Leftovers("waiting");
  const epochs = loop("settling leftover epochs", () => settleLeftoverEpochs(core, waiting));
  const presigning = loop("keeping presignatures ready", () => stock.look());
  const renewal = loop("renewing leases of presignatures", () => stock.renew());
  const jumps = loop("comparing the clocks", noticeJumps(core.world, core.leases, core.logger));
  const signerClocks = loop("comparing signers' clocks", noticeSignerClocks(core.signers, core.logger));
  const databaseJumps = loop("asking for the database's time", noticeDatabaseJumps(core));
  const expiry = loop("expiring approvals", async () => {
    await expireApprovals(core.database, isoNow({ nowMs: core.clock.earlierMs }), core.logger);
    return EXPIRY_MS;
  });
  const noteWaiting = makeWaitNotes(core.database, () => core.coordinators.shortage(), core.logger);
  const waitNotes = loop("telling of requests that wait", noteWaiting);
  const parked = loop("taking up parked requests", () => retryParked(core.database, core.logger));
  const inUse = usedNetworks(core);
  const following = followingLoops(core, inUse, loop);
  const cluster = [
    ready,
    leftovers,
    epochs,
    presigning,
    renewal,
    jumps,
    ...recordLoops(core, loop),
    expiry,
    waitNotes,
    parked,
    databaseJumps,
    signerClocks,
  ];
  return { following, all: [...cluster, ...following.values(), ...depositLoops(core, inUse, loop)] };
};

type MakeLoop = (what: string, round: () => Promise<number>, leastPauseMs?: number) => Loop;

/** Those that keep the records of orchestrators themselves. */
const recordLoops = (core: Core, loop: MakeLoop): readonly Loop[] => {
  const gone = loop("taking over from orchestrators that ended", async () => {
    const count = await releaseOfGone(core.database);
    if (count > 0) requestsTakenOver(core.logger, { count });
    return GONE_MS;
  });
  const marks = loop("marking the records", async () => {
    await core.records.since();
    return MARKED_EVERY_MS;
  });
  const lapsed = loop("forgetting lapsed leases", async () => {
    await forgetLapsedLeases(core.database);
    return FORGET_LEASES_MS;
  });
  return [gone, marks, lapsed];
};

const usedNetworks = ({ chains, database, world }: Core): NetworksInUse =>
  networksInUse({
    world,
    networks: [...chains.keys()].map((name) => networkSchema.parse(name)),
    withWallets: (networks) => withWallets(database, networks),
  });

/** One loop for each network, so that a node that hangs keeps no other network waiting. */
const followingLoops = (
  { chains, database, gathered, logger, world }: Core,
  inUse: NetworksInUse,
  loop: MakeLoop,
): ReadonlyMap<string, Loop> =>
  new Map(
    [...chains].map(([name, chain]) => {
      const network = networkSchema.parse(name);
      const isUsed = () => inUse.isUsed(network);
      const follower = makeFollower({ database, chain, logger, network, isUsed, world, gathered });
      const { ring, stop } = loop(`following ${network}`, follower.round, FOLLOWING_MS_LEAST);
      const stopBoth = async (): Promise<void> => {
        await Promise.all([stop(), follower.stop()]);
      };
      return [name, { ring, stop: stopBoth }];
    }),
  );

/** Likewise. */
const depositLoops = (
  { chains, database, families, logger, metrics, world }: Core,
  inUse: NetworksInUse,
  loop: MakeLoop,
): readonly Loop[] =>
  [...chains.values()].map((chain) => {
    const network = networkSchema.parse(chain.node.network.network);
    const now = () => isoNow(world);
    const unread = (blocks: number) => metrics.unreadBlocks.set({ network }, blocks);
    const isUsed = () => inUse.isUsed(network);
    const describeTokens = tokenDescriber(world);
    const { monotonicMs } = world;
    const reporting = { now, monotonicMs, unread, logger, counted: metrics.deposits };
    const memory = noWatchMemory();
    const watch = { database, families, chain, network, memory, isUsed, describeTokens, ...reporting };
    return loop(`watching for deposits on ${network}`, () => watchDeposits(watch));
  });

/** Returns how many requests of each lane are worked on at a time. Each network has a lane, and so has each kind of request without a network. */
const slotsOf = (chains: Core["chains"]): Slots =>
  new Map([
    ...[...chains.keys()].map((network): [string, number] => [network, CHAIN_REQUESTS_AT_A_TIME]),
    [LANES.key, KEYS_AT_A_TIME],
    [LANES.export, KEYS_AT_A_TIME],
    [LANES.signature, SIGNATURES_AT_A_TIME],
  ]);

const takeRequests = (
  core: Core,
  roster: Pick<Roster, "signers">,
  following: ReadonlyMap<string, Loop>,
): Stoppable => {
  const { bus, database, chains, coordinators, gathered, signers, stock, logger, world } = core;
  const { signal } = bus;
  const chainRequest = lookAtChainRequest({
    database,
    chains,
    quorum: coordinators,
    gathered,
    logger,
    world,
    records: core.records,
    broadcasted: (network) => following.get(network)?.ring(),
    signal,
  });
  const signature = lookAtSignature({
    database,
    families: core.families,
    networks: [...chains.values()].map(({ node }) => node.network),
    quorum: coordinators,
    signal,
    logger,
    world,
  });
  const key = lookAtKey({
    database,
    networks: new Set(chains.keys()),
    signers,
    coordinators,
    signal,
    made: (keyId) => stock.noteUse(keyId),
    logger,
    world,
  });
  const keyExport = lookAtKeyExport({ database, roster, coordinators, signal, logger, world });
  return startTaking({
    database,
    presentAs: core.presence.presentAs,
    slots: slotsOf(chains),
    looks: {
      transfer: timed(core, "transfer", chainRequest),
      transaction: timed(core, "transaction", chainRequest),
      key: timed(core, "key", key),
      export: timed(core, "export", keyExport),
      signature: timed(core, "signature", signature),
    },
    letsGo: async ({ id, kind }) =>
      (kind !== "transfer" && kind !== "transaction") || hasNothingSigned(database, id),
    hear: (ring) => bus.listen(DUE_SUBJECT, ring),
    world,
    logger,
  });
};

const timed =
  ({ metrics }: Core, request: string, look: RequestLook): RequestLook =>
  async (held) => {
    const end = metrics.deliverySeconds.startTimer({ request });
    const disposition = await look(held);
    end({ disposition: disposition.kind });
    return disposition;
  };

const disconnect = async (core: Core, http: StatusServer): Promise<void> => {
  core.signers.close();
  await http.close();
  await core.bus.close();
  await core.database.close();
};

const within = async (world: World, milliseconds: number, work: Promise<unknown>): Promise<void> => {
  const over = new AbortController();
  await Promise.race([work, world.sleep(milliseconds, over.signal)]);
  over.abort();
};
