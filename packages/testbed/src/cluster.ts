import { resolve } from "node:path";
import { CustodyApi } from "./api.ts";
import { type BackingStart, startBacking, startChain } from "./backing.ts";
import { DevelopmentChain } from "./chain.ts";
import { type ClusterDescription, describeCluster } from "./description.ts";
import type { ProcessSpec } from "./host/supervised-process.ts";
import { LaunchError } from "./launch-error.ts";
import type { OnDemandNode } from "./networks/on-demand-node.ts";
import { networkEntries, onDemandNetworks, serveNetworks } from "./networks/served-networks.ts";
import { type ClusterOptions, type ClusterRequest, clusterOptions } from "./options.ts";
import {
  readOrchestrator,
  readSigners,
  type SignerCondition,
  type SignerReport,
  type StockReport,
  stateOf,
} from "./orchestrator-status.ts";
import { type Backing, gatewaySpec, orchestratorSpec, saysReady, signerSpec } from "./parts/service.ts";
import { type ClusterPorts, clusterPorts } from "./ports.ts";
import { type DeveloperAccess, developerAccess, enterDeveloper } from "./provision/developer.ts";
import type { ClusterIdentity } from "./provision/identities.ts";
import { givePrices } from "./provision/prices.ts";
import { provisionIdentities, writeCluster } from "./provision/roster.ts";
import { signersReady } from "./readiness.ts";
import { forgetState } from "./state/forget-state.ts";
import { type StateLayout, stateLayout } from "./state/layout.ts";
import { writePrivate } from "./state/private-file.ts";
import { ProcessTable } from "./state/process-table.ts";
import { type ProcessStatus, Supervisor } from "./supervisor.ts";

const SERVICE_DEADLINE_MS = 30_000;

/** A running cluster. Dispose of it to stop it: `await using cluster = await createCluster(…)`. */
export interface Cluster extends AsyncDisposable {
  readonly description: ClusterDescription;
  readonly layout: StateLayout;
  readonly chain: DevelopmentChain;
  /** a REST client that acts as the development user */
  readonly api: CustodyApi;
  /** Kills a process as kill -9 does. Only `restart` starts it again. */
  kill(name: string): Promise<void>;
  /** Starts an ended process again with the same address and state, and waits until it serves. */
  restart(name: string): Promise<void>;
  /** Stops a process by SIGSTOP; its connections stay open. */
  pause(name: string): void;
  resume(name: string): void;
  status(): readonly ProcessStatus[];
  /** Reads the state of the signers from the orchestrator; empty while it does not answer. */
  signers(): Promise<readonly SignerReport[]>;
  signerStates(): Promise<readonly SignerCondition[]>;
  /** Reads the presignature pool from the orchestrator; undefined while it does not answer. */
  stock(): Promise<StockReport | undefined>;
  /** Waits until all signers are live and hold the same auxiliary information. Rejects with a LaunchError. */
  ready(): Promise<void>;
  /** Stops all processes in order, and kills those that do not stop by their deadline. The state stays. */
  stop(): Promise<void>;
  /** Starts a network's node, unless it runs: as the first call to it would. Rejects with a LaunchError. */
  startNode(network: string): Promise<void>;
}

interface Parts {
  readonly options: ClusterOptions;
  readonly layout: StateLayout;
  readonly identity: ClusterIdentity;
  readonly ports: ClusterPorts;
  readonly supervisor: Supervisor;
  readonly table: ProcessTable;
  /** what listens for the nodes that start on demand, by network */
  readonly nodes: Map<string, OnDemandNode>;
}

const startService = async (parts: Parts, spec: ProcessSpec): Promise<void> => {
  const started = await parts.supervisor.start(spec);
  await started.ready(started.logLine(saysReady), SERVICE_DEADLINE_MS, parts.options.signal);
  parts.options.onProgress({
    kind: "process",
    name: spec.name,
    state: "ready",
    text: `${spec.name} is ready`,
  });
};

const startServices = async (
  parts: Parts,
  backing: Promise<Backing>,
  developer: DeveloperAccess,
): Promise<void> => {
  const { layout, ports, options, identity } = parts;
  const signers = identity.signers.map(({ index }) =>
    startService(parts, signerSpec(layout, index, options)),
  );
  const behind = backing.then((known) =>
    Promise.all([
      startService(parts, gatewaySpec(layout, ports.gateway, known, options)).then(() =>
        enterDeveloper(known.databaseUrl, developer),
      ),
      startService(parts, orchestratorSpec(layout, ports.orchestrator, known, options)),
    ]),
  );
  await Promise.all([behind, ...signers]);
};

/** Stops the processes from the gateway to the database, so that none waits for an answer of a stopped one. */
const stopInOrder = async (supervisor: Supervisor): Promise<void> => {
  // other processes may still be starting when one start fails
  supervisor.close();
  const signers = supervisor.names().filter((name) => name.startsWith("signer-"));
  await supervisor.stop(["gateway", "orchestrator"]);
  await supervisor.stop(signers);
  const nodes = supervisor.names().filter((name) => /^(anvil|ledger)\b/.test(name));
  await supervisor.stop(["nats", "postgres", ...nodes]);
};

const startEverything = async (parts: Parts): Promise<ClusterDescription> => {
  const { options, layout, identity, ports } = parts;
  const start: BackingStart = parts;
  const seed = identity.clusterId;
  const rpcUrl = options.evmRpcUrl ?? `http://127.0.0.1:${ports.chain}`;
  writeCluster(layout, identity, options, {
    ofSigner: (index) => `127.0.0.1:${ports.signers.get(index)}`,
    networks: networkEntries(options, ports, rpcUrl, seed),
  });
  givePrices(layout);
  const developer = await developerAccess(layout, identity.clusterId);
  for (const [network, node] of await serveNetworks({ ...parts, seed })) parts.nodes.set(network, node);
  const backing = startBacking(start);
  const [{ databaseUrl }] = await Promise.all([
    backing,
    startServices(parts, backing, developer),
    startChain(start),
  ]);
  writePrivate(layout.databaseUrl, databaseUrl);
  const description = describeCluster(options, identity, ports, rpcUrl, developer);
  writePrivate(layout.description, `${JSON.stringify(description, undefined, 2)}\n`);
  await signersReady(description.orchestrator.url, options);
  return description;
};

const assemble = async (options: ClusterOptions, table: ProcessTable): Promise<Parts> => {
  const left = await table.acquire();
  if (left.length > 0) {
    options.onProgress({ kind: "notice", text: `a crashed run had left ${left.join(", ")} running; ended` });
  }
  try {
    const layout = stateLayout(options.state);
    const identity = await provisionIdentities(layout, options);
    const networks = onDemandNetworks(options).map(({ network }) => network);
    const ports = await clusterPorts(options, networks, options.onProgress);
    const supervisor = new Supervisor(table, options.onProgress);
    return { options, layout, identity, ports, supervisor, table, nodes: new Map() };
  } catch (cause) {
    table.release();
    throw cause;
  }
};

const finish = async ({ supervisor, table, options, nodes }: Parts): Promise<void> => {
  await stopInOrder(supervisor);
  await Promise.all([...nodes.values()].map((node) => node.close()));
  table.release();
  if (options.disposable) forgetState(options.state);
};

const clusterOf = (parts: Parts, description: ClusterDescription): Cluster => {
  const { supervisor, layout, options } = parts;
  let stopped: Promise<void> | undefined;
  const stop = (): Promise<void> => {
    stopped ??= finish(parts);
    return stopped;
  };
  return {
    description,
    layout,
    chain: new DevelopmentChain(description.chain.rpcUrl),
    api: new CustodyApi(description.api.url, description.developer.token),
    kill: (name) => supervisor.process(name).kill(),
    restart: async (name) => {
      const { spec } = supervisor.process(name);
      if (spec.args.some((argument) => argument.endsWith("main.js"))) return startService(parts, spec);
      await supervisor.start(spec);
    },
    pause: (name) => supervisor.process(name).pause(),
    resume: (name) => supervisor.process(name).resume(),
    status: () => supervisor.status(),
    ready: () => signersReady(description.orchestrator.url, options),
    signers: async () => (await readSigners(description.orchestrator.url)) ?? [],
    signerStates: async () => ((await readSigners(description.orchestrator.url)) ?? []).map(stateOf),
    stock: async () => (await readOrchestrator(description.orchestrator.url))?.presignatures,
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
 * Starts a cluster of real processes, new or with the state in the folder, and waits until it serves and its signers can make
 * keys and sign.
 *
 * Rejects with a LaunchError (message and remedy) if something is missing or taken, or a process dies during the start; then all
 * started processes are stopped.
 */
export const createCluster = async (request: ClusterRequest): Promise<Cluster> => {
  const given = clusterOptions(request);
  const options = { ...given, state: resolve(given.state) };
  const table = new ProcessTable(stateLayout(options.state).run);
  // the start is aborted when the caller aborts it, or as soon as a process that served has died
  const starting = new AbortController();
  const giveUp = AbortSignal.any([starting.signal, ...(options.signal ? [options.signal] : [])]);
  const parts = await assemble({ ...options, signal: giveUp }, table);
  parts.supervisor.onDeath = (report) => starting.abort(report);
  try {
    return clusterOf(parts, await startEverything(parts));
  } catch (cause) {
    await finish(parts);
    throw starting.signal.aborted ? starting.signal.reason : cause;
  } finally {
    parts.supervisor.onDeath = undefined;
  }
};
