import type { World } from "@conclave/custody";
import type { assembleOrchestrator } from "@conclave/orchestrator";
import type { Roster, WebhookSecrets } from "@conclave/platform";
import type { MemoryBroker, MemoryProcess, ProcessStore } from "@conclave/platform/testing";
import type { MemoryNetwork } from "@conclave/signer/testing";
import type { PartyIndex } from "@conclave/threshold";
import type { WorldChain } from "../chain/world-chain.ts";
import type { SimulatedAuthority } from "../client/authority.ts";
import type { SimulatedOrganisation } from "../client/organisation.ts";
import type { IdealKeys } from "../engine/ideal-keys.ts";
import { openServerLink, type ServerLink } from "../link/server-link.ts";
import type { TroubledWays } from "../link/troubled-ways.ts";
import { chanceOf } from "../time/chance-of.ts";
import type { MachineClocks } from "../time/machine-clocks.ts";
import { openProcessWorld, type ProcessWorld } from "../time/process-world.ts";
import type { Scheduler } from "../time/scheduler.ts";
import type { Trace } from "../trace/trace.ts";
import type { WorldWatch } from "../watch/world-watch.ts";
import type { SimulatedEndpoints } from "../webhook/simulated-endpoints.ts";

type StockMarks = Parameters<typeof assembleOrchestrator>[0]["presignatures"];

/** All that the processes of a simulated cluster share. */
export interface SharedParts {
  readonly seed: string;
  readonly scheduler: Scheduler;
  /** Unix milliseconds at the beginning */
  readonly startMs: number;
  readonly clocks: MachineClocks;
  readonly store: ProcessStore;
  /** of a statement of an orchestrator or a gateway */
  readonly statementFate: NonNullable<MemoryProcess["fate"]>;
  readonly trace: Trace;
  readonly broker: MemoryBroker;
  /** of the networks that the world serves */
  readonly chains: readonly WorldChain[];
  /** between signers, and from orchestrators to them */
  readonly network: MemoryNetwork;
  /** between all places, by the names that plans give them */
  readonly ways: TroubledWays;
  readonly keys: IdealKeys;
  readonly roster: Roster;
  readonly members: readonly PartyIndex[];
  readonly authority: SimulatedAuthority;
  readonly watch: WorldWatch;
  /** how many presignatures orchestrators keep ready */
  readonly presignatureStock: StockMarks;
  readonly organisation: SimulatedOrganisation;
  readonly otherOrganisation: SimulatedOrganisation;
  /** where webhooks lead */
  readonly endpoints: SimulatedEndpoints;
  /** the share of answers of gateways to clients that are lost */
  readonly lostAnswers: () => number;
  /** Seals and opens the secrets of webhooks, with nonces of a process's own. */
  readonly webhookSecrets: (world: Pick<World, "entropy">) => WebhookSecrets;
  /** whether a signer dies in the synced write that it begins now */
  readonly diesInWrite: () => boolean;
  /** Starts a process again after a while, as its supervisor does, unless its machine is lost. */
  readonly supervise: (process: string) => void;
  /** waits, in real time, for work that no virtual time passes for, such as the opening of a store */
  readonly settle: (work: Promise<unknown>) => void;
  /** a process met an error that ends it */
  readonly failed: (process: string, error: unknown) => void;
}

/** The longest way of a message between a process and a server, milliseconds. */
const WAY_MS = 3;

/** A server of a world that is no node of a chain. */
export type ServerName = "database" | "bus" | "endpoints";

/** Servers by the names of plans, and how long their clients wait for an answer, milliseconds, as in production. */
const SERVERS: Readonly<Record<ServerName, { readonly place: string; readonly patienceMs: number }>> = {
  database: { place: "postgres", patienceMs: 12_000 },
  bus: { place: "nats", patienceMs: 5_000 },
  // no plan has a fault on the way to the endpoints of webhooks
  endpoints: { place: "endpoints", patienceMs: 10_000 },
};

/** One life of a process, and its links to the servers. */
export interface ProcessLife {
  readonly name: string;
  readonly world: ProcessWorld;
  readonly linkTo: (server: ServerName) => ServerLink;
  readonly linkToNode: (chain: Pick<WorldChain, "server" | "patienceMs" | "entry">) => ServerLink;
}

/** Begins a life of a process. @param life counts from 1 */
export const beginLife = (parts: SharedParts, name: string, life: number): ProcessLife => {
  const { scheduler, seed, startMs, clocks, trace, ways } = parts;
  trace.note(name, `starts its life ${life}`);
  const world = openProcessWorld({
    scheduler,
    name,
    life,
    seed,
    startMs,
    skewMs: clocks.aheadMs(name),
  });
  world.onDeath(() => trace.note(name, "dies"));
  const link = (server: string, place: string, patienceMs: number): ServerLink =>
    openServerLink({
      scheduler,
      world,
      server,
      asked: (what) => trace.absorb(name, `${server} ${what}`),
      chance: chanceOf(seed, `${name}/${life}/${server}`),
      longestMs: WAY_MS,
      patienceMs,
      there: ways.of(name, place),
      back: ways.of(place, name),
    });
  return {
    name,
    world,
    linkTo: (server) => link(server, SERVERS[server].place, SERVERS[server].patienceMs),
    linkToNode: ({ server, entry, patienceMs }) => link(server, entry.network, patienceMs),
  };
};
