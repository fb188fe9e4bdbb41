import { resolve } from "node:path";
import { CustodyApi } from "./api.ts";
import { readRosterAnew, rollOver, runsBy } from "./apply-roster.ts";
import {
  type BackingStart,
  copyBus,
  forgetBus,
  restartBacking,
  restoreBus,
  startBacking,
  startChain,
} from "./backing.ts";
import { DevelopmentChain } from "./chain.ts";
import { type ClusterDescription, describeCluster } from "./description.ts";
import { requireBinaries } from "./host/binaries.ts";
import { LaunchError } from "./launch-error.ts";
import { ClusterLinks } from "./links/cluster-links.ts";
import type { Link } from "./links/link.ts";
import { neighboursOf } from "./links/neighbours.ts";
import type { OnDemandNode } from "./networks/on-demand-node.ts";
import { onDemandNetworks, serveNetworks } from "./networks/served-networks.ts";
import type { ClusterOptions, ClusterRequest } from "./options.ts";
import {
  type OrchestratorReport,
  readOrchestrator,
  type SignerCondition,
  type SignerReport,
  type StockReport,
  stateOf,
} from "./orchestrator-status.ts";
import { orchestratorName } from "./parts/process-name.ts";
import { clusterPorts } from "./ports.ts";
import {
  type DeveloperAccess,
  developerAccess,
  enterDeveloper,
  withWrittenToken,
} from "./provision/developer.ts";
import { giveOperatorsFiles } from "./provision/operators-files.ts";
import { optionsFor, provisionIdentities } from "./provision/roster.ts";
import { newcomersOf, signersReady } from "./readiness.ts";
import { canDoWithout, type ServicesStart, startService, startServices, writeShared } from "./services.ts";
import { noteOutside } from "./snapshots/note-outside.ts";
import { settleRestore } from "./snapshots/put-back.ts";
import { forgetState } from "./state/forget-state.ts";
import { type StateLayout, stateLayout } from "./state/layout.ts";
import { writePrivate } from "./state/private-file.ts";
import { ProcessTable } from "./state/process-table.ts";
import { type ProcessStatus, Supervisor } from "./supervisor.ts";

/** A running cluster. Dispose of it to stop it: `await using cluster = await createCluster(…)`. */
export interface Cluster extends AsyncDisposable {
  readonly description: ClusterDescription;
  readonly layout: StateLayout;
  readonly chain: DevelopmentChain;
  /** a REST client that acts as the development user, through the first gateway */
  readonly api: CustodyApi;
  /** Sends a process SIGKILL. Only `restart` starts it again. */
  kill(name: string): Promise<void>;
  /** Stops a process with SIGTERM, and waits until it has ended. */
  stopProcess(name: string): Promise<void>;
  /** Starts an ended process again with the same address and state, and waits until it serves. */
  restart(name: string): Promise<void>;
  /** Pauses a process with SIGSTOP; its connections stay open. */
  pause(name: string): void;
  resume(name: string): void;
  /**
   * Reads the cluster's roster again and applies it: new signers get a port, and every process is restarted, gateways
   * first, then orchestrators, then one signer after another, so that at most one signer is away at a time. Then the
   * processes of former signers are stopped. Does nothing if all processes run with this roster already.
   *
   * Rejects with a LaunchError if the roster is not one of this cluster, or a process does not start again; another call
   * then continues.
   *
   * @param say called with progress, for people
   */
  applyRoster(say?: (line: string) => void): Promise<void>;
  /** The link between two processes, by name. Throws a LaunchError if there is no proxy between them. */
  link(from: string, to: string): Link;
  /** Kills the bus, deletes its store, and starts it again. */
  forgetBus(): Promise<void>;
  /** Copies the store of the bus to a new folder. @returns false if the bus has just lost its store */
  copyBus(folder: string): boolean;
  /** Kills the bus, replaces its store by such a copy, and starts it again. */
  restoreBus(folder: string): Promise<void>;
  status(): readonly ProcessStatus[];
  /** Reads the state of the signers from the first orchestrator that answers; empty if none does. */
  signers(): Promise<readonly SignerReport[]>;
  signerStates(): Promise<readonly SignerCondition[]>;
  /** Reads the presignature pool from the first orchestrator that answers; undefined if none does. */
  stock(): Promise<StockReport | undefined>;
  /**
   * Waits until each running orchestrator reports all signers live and with the same auxiliary information. Rejects with
   * a LaunchError.
   */
  ready(): Promise<void>;
  /** Stops all processes in order, and kills those that do not stop by their deadline. The state stays. */
  stop(): Promise<void>;
  /** Starts a network's node, unless it runs. The first call to the node would start it too. Rejects with a LaunchError. */
  startNode(network: string): Promise<void>;
}

interface Parts extends ServicesStart {
  readonly table: ProcessTable;
  /** the listeners that start nodes on demand, by network */
  readonly nodes: Map<string, OnDemandNode>;
}

/** Stops the processes from the gateways to the database, so that none waits for one that has stopped. */
const stopInOrder = async (supervisor: Supervisor): Promise<void> => {
  // if one start has failed, others may still be under way
  supervisor.close();
  for (const names of [/^(gateway|orchestrator)\b/, /^signer-/, /^(nats|postgres|anvil|ledger)\b/])
    await supervisor.stop(supervisor.names().filter((name) => names.test(name)));
};

/**
 * Waits until the orchestrators are ready. Orchestrators that have ended are skipped, unless all have.
 * @param enough so many signers suffice, where the others show no progress; by default all are waited for
 */
const orchestratorsReady = async (
  { supervisor, options, identity }: Parts,
  { orchestrators }: ClusterDescription,
  enough?: number,
): Promise<void> => {
  const ended = new Set(supervisor.status().flatMap(({ name, state }) => (state === "exited" ? [name] : [])));
  const running = orchestrators.filter((_, at) => !ended.has(orchestratorName(at + 1)));
  for (const { url } of running.length === 0 ? orchestrators : running)
    await signersReady(url, options, {
      newcomers: newcomersOf(identity),
      ...(enough === undefined ? {} : { enough }),
    });
};

/** The report of the first orchestrator that answers. */
const readState = async ({ orchestrators }: ClusterDescription): Promise<OrchestratorReport | undefined> => {
  for (const { url } of orchestrators) {
    const state = await readOrchestrator(url);
    if (state !== undefined) return state;
  }
  return undefined;
};

/**
 * Makes the description of the running cluster, and writes it to a file for programs. @param developer with the current
 * tokens
 */
const describe = (
  { options, layout, identity, ports }: Parts,
  developer: DeveloperAccess,
): ClusterDescription => {
  const description = describeCluster(options, identity, ports, rpcUrlOf({ options, ports }), developer);
  writePrivate(layout.description, `${JSON.stringify(description, undefined, 2)}\n`);
  return description;
};

const rpcUrlOf = ({ options, ports }: Pick<Parts, "options" | "ports">): string =>
  options.evmRpcUrl ?? `http://127.0.0.1:${ports.chain}`;

const startEverything = async (parts: Parts): Promise<ClusterDescription> => {
  const { options, layout, identity } = parts;
  const start: BackingStart = parts;
  const seed = identity.clusterId;
  const rpcUrl = rpcUrlOf(parts);
  writeShared(parts);
  giveOperatorsFiles(layout);
  const developer = await developerAccess(layout, identity.clusterId);
  for (const [network, node] of await serveNetworks({ ...parts, seed })) parts.nodes.set(network, node);
  const backing = startBacking(start);
  const [{ databaseUrl }] = await Promise.all([
    backing,
    startServices(parts, backing, (known) => enterDeveloper(known.databaseUrl, developer)),
    startChain(start).then(() => placeToken(options.evmRpcUrl, rpcUrl)),
  ]);
  writePrivate(layout.databaseUrl, databaseUrl);
  const description = describe(parts, developer);
  await orchestratorsReady(
    parts,
    description,
    options.waitsFor === "threshold" ? options.threshold : undefined,
  );
  return description;
};

/** Deploys the development token on the cluster's own chain; a chain that the caller supplied is not changed. */
const placeToken = async (given: string | undefined, rpcUrl: string): Promise<void> => {
  if (given === undefined) await new DevelopmentChain(rpcUrl).placeToken();
};

const assemble = async (options: ClusterOptions, table: ProcessTable): Promise<Parts> => {
  const left = await table.acquire();
  if (left.length > 0) {
    options.onProgress({ kind: "notice", text: `a crashed run had left ${left.join(", ")} running; ended` });
  }
  try {
    const layout = stateLayout(options.state);
    settleRestore(options.state);
    noteOutside(options);
    const identity = await provisionIdentities(layout, options);
    const networks = onDemandNetworks(options).map(({ network }) => network);
    const ports = await clusterPorts(
      options,
      identity.signers.map(({ index }) => index),
      networks,
    );
    const supervisor = new Supervisor(table, options.onProgress);
    const links = await ClusterLinks.between(neighboursOf(options, ports));
    return { options, layout, identity, ports, supervisor, links, table, nodes: new Map() };
  } catch (cause) {
    table.release();
    throw cause;
  }
};

const finish = async ({ supervisor, table, options, nodes, links }: Parts): Promise<void> => {
  await stopInOrder(supervisor);
  await Promise.all([...[...nodes.values()].map((node) => node.close()), links.close()]);
  table.release();
  if (options.disposable) forgetState(options.state);
};

/** The current configuration of a cluster, which a change of its roster replaces. */
interface Standing {
  parts: Parts;
  description: ClusterDescription;
  /** whether all processes were started with the roster of the parts */
  isApplied: boolean;
}

const applyRoster = async (standing: Standing, say: (line: string) => void): Promise<void> => {
  const services = await readRosterAnew(standing.parts);
  if (standing.isApplied && runsBy(services, standing.parts)) {
    say("all processes run by this roster already");
    return;
  }
  standing.isApplied = false;
  standing.parts = { ...standing.parts, ...services };
  await rollOver(standing.parts, say);
  standing.description = describe(standing.parts, withWrittenToken(standing.description.developer));
  standing.isApplied = true;
};

const clusterOf = (parts: Parts, description: ClusterDescription): Cluster => {
  const { supervisor, layout, options } = parts;
  const standing: Standing = { parts, description, isApplied: true };
  let stopped: Promise<void> | undefined;
  const stop = (): Promise<void> => {
    stopped ??= finish(parts);
    return stopped;
  };
  return {
    get description() {
      return standing.description;
    },
    layout,
    chain: new DevelopmentChain(description.chain.rpcUrl),
    api: new CustodyApi(description.api.url, description.developer.token, options.pollMs),
    kill: (name) => supervisor.process(name).kill(),
    stopProcess: (name) => supervisor.process(name).stop(),
    restart: async (name) => {
      const { spec } = supervisor.process(name);
      if (spec.args.some((argument) => argument.endsWith("main.js"))) return startService(parts, spec);
      await restartBacking(parts, spec);
    },
    pause: (name) => supervisor.process(name).pause(),
    resume: (name) => supervisor.process(name).resume(),
    link: (from, to) => parts.links.link(from, to),
    forgetBus: () => forgetBus(parts),
    copyBus: (folder) => copyBus(parts, folder),
    restoreBus: (folder) => restoreBus(parts, folder),
    status: () => supervisor.status(),
    applyRoster: (say = () => undefined) => applyRoster(standing, say),
    ready: () => orchestratorsReady(standing.parts, standing.description),
    signers: async () => (await readState(standing.description))?.signers ?? [],
    signerStates: async () => ((await readState(standing.description))?.signers ?? []).map(stateOf),
    stock: async () => (await readState(standing.description))?.presignatures,
    startNode: async (network) => {
      const node = parts.nodes.get(network);
      if (node === undefined) {
        const known = [...parts.nodes.keys()].join(", ") || "none";
        throw new LaunchError(`no node of ${network} starts on demand here`, `There are: ${known}.`);
      }
      await node.running();
    },
    stop,
    [Symbol.asyncDispose]: stop,
  };
};

/**
 * Starts a cluster of real processes, new or from the state in the folder, and waits until it serves and its signers can
 * generate keys and sign.
 *
 * Rejects with a LaunchError (message and remedy) if something is missing or in use, or a process ends during the start;
 * all started processes are stopped first.
 */
export const createCluster = async (request: ClusterRequest): Promise<Cluster> => {
  const options = await optionsFor({ ...request, state: resolve(request.state) });
  requireBinaries(options);
  const table = new ProcessTable(stateLayout(options.state).run);
  // aborts the start when the caller aborts, or as soon as a started process ends
  const starting = new AbortController();
  const giveUp = AbortSignal.any([starting.signal, ...(options.signal ? [options.signal] : [])]);
  const parts = await assemble({ ...options, signal: giveUp }, table);
  parts.supervisor.onDeath = (report, name) => {
    if (!canDoWithout(parts, name)) starting.abort(report);
  };
  try {
    return clusterOf(parts, await startEverything(parts));
  } catch (cause) {
    await finish(parts);
    throw starting.signal.aborted ? starting.signal.reason : cause;
  } finally {
    parts.supervisor.onDeath = undefined;
  }
};
