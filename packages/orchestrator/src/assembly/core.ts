import { FAMILIES, type FamilyRegistry } from "@conclave/chains";
import { connectGuarded, type GuardedNode, NODES, type NodeRegistry } from "@conclave/chains/node";
import type { RosterMember } from "@conclave/cluster";
import type { World } from "@conclave/custody";
import {
  type Bus,
  claimPresignatures,
  countDueRequests,
  type Database,
  DatabaseClock,
  type DatabaseOptions,
  databaseConnectionBroke,
  type EnabledNetworks,
  isMigrated,
  type Logger,
  membersOf,
  Outage,
  pastIdentities,
  recordUnreadable,
  releasePresignatures,
  type Sender,
  showSilentNodes,
  type UnreadableReport,
  type WebhookSecrets,
} from "@conclave/platform";
import { type Signer, Signers } from "@conclave/platform/coordination";
import type { IdentityRoster, PartyIndex } from "@conclave/threshold";
import { type GatheringCount, gatheringCounter } from "../chain-requests/count-gatherings.ts";
import { KeptRecords } from "../chain-requests/kept-records.ts";
import type { ServedChain } from "../chain-requests/served-chain.ts";
import { type CoordinatedRoster, Coordinators } from "../coordinators.ts";
import { recordFault } from "../faults.ts";
import { migrationAwaited } from "../log/process-events.ts";
import { signersChanged } from "../log/session-events.ts";
import { type OrchestratorMetrics, orchestratorMetrics } from "../metrics.ts";
import { type Presence, startPresence } from "../presence.ts";
import { Leases } from "../presignatures/leases.ts";
import { PresignatureStock, type StockMarks } from "../presignatures/stock.ts";
import { ClusterReadiness } from "../readiness.ts";

const UNMIGRATED_MS = 100;

/** The parts of an orchestrator: a process opens them, and so does a simulated world. */
export interface AssembledParts {
  readonly world: World;
  readonly roster: CoordinatedRoster;
  readonly networks: EnabledNetworks;
  /** the chain families and their nodes, where they are others than those that are built */
  readonly families?: FamilyRegistry;
  readonly nodes?: NodeRegistry;
  readonly signers: readonly Signer[];
  readonly openDatabase: (listeners: Required<DatabaseListeners>) => Database;
  /** called once the database is migrated */
  readonly connectBus: () => Promise<Bus>;
  readonly logger: Logger;
  /** how many presignatures are kept ready */
  readonly presignatures: StockMarks;
  /** how events reach webhooks */
  readonly webhooks: { readonly secrets: WebhookSecrets; readonly send: Sender };
}

type DatabaseListeners = Pick<DatabaseOptions, "announce" | "onBreak" | "onUnreadable">;

/** The dependencies of everything below. */
export interface Core {
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

/** The gateway owns the tables and migrates them; an orchestrator that starts before it waits here. */
const untilMigrated = async (world: World, database: Database, logger: Logger): Promise<void> => {
  if (await isMigrated(database)) return;
  migrationAwaited(logger, {});
  while (!(await isMigrated(database))) await world.sleep(UNMIGRATED_MS);
};

/** @returns false if the database does not answer */
const isMeasured = (clock: DatabaseClock, database: Database): Promise<boolean> =>
  clock.measure(database).then(
    () => true,
    (error: unknown) => {
      if (!(error instanceof Outage)) throw error;
      return false;
    },
  );

/** Each node has a circuit breaker: while one does not answer, requests that need it hear so at once, and give their places back. */
const chainsOf = (
  { families = FAMILIES, nodes = NODES, networks, logger, world }: AssembledParts,
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
  parts: AssembledParts,
  onUnreadable: (report: UnreadableReport) => void,
): Promise<Pick<Core, "database" | "bus" | "clock" | "records">> => {
  const { logger, world } = parts;
  let bus: Bus | undefined;
  const database = parts.openDatabase({
    announce: (subject) => bus?.signal(subject),
    onBreak: (err) => databaseConnectionBroke(logger, { err }),
    onUnreadable,
  });
  await untilMigrated(world, database, logger);
  const clock = new DatabaseClock(world);
  while (!(await isMeasured(clock, database))) await world.sleep(UNMIGRATED_MS);
  bus = await parts.connectBus();
  return { database, bus, clock, records: new KeptRecords({ database, world, logger }) };
};

/** The signers as the cluster pins them, and the identities of before. */
const identitiesOf = (roster: CoordinatedRoster): Pick<Core, "roster" | "past"> => ({
  roster: membersOf(roster),
  past: pastIdentities(roster),
});

/** Opens what an orchestrator works with. Nothing works yet. */
export const connectCore = async (parts: AssembledParts): Promise<Core> => {
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
  const readiness = new ClusterReadiness({ world, database, signers, coordinators, logger });
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
