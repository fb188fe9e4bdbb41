import { mkdirSync } from "node:fs";
import { join } from "node:path";
import type { ProcessSpec } from "./host/supervised-process.ts";
import { LaunchError } from "./launch-error.ts";
import type { ClusterLinks } from "./links/cluster-links.ts";
import type { LocalNetwork } from "./networks/local-network.ts";
import { FIRST_NETWORK } from "./networks/network-table.ts";
import { networkEntries } from "./networks/served-networks.ts";
import type { ClusterOptions } from "./options.ts";
import { gatewayName, orchestratorName, signerName } from "./parts/process-name.ts";
import {
  type Backing,
  gatewaySpec,
  orchestratorSpec,
  type ServiceLaunch,
  saysReady,
  signerSpec,
} from "./parts/service.ts";
import type { ClusterPorts } from "./ports.ts";
import type { ClusterIdentity } from "./provision/identities.ts";
import { type Addresses, writeCluster } from "./provision/roster.ts";
import type { StateLayout } from "./state/layout.ts";
import type { Supervisor } from "./supervisor.ts";

const SERVICE_DEADLINE_MS = 30_000;
/**
 * The name of a caller outside the cluster. No link has it, so such a caller gets the addresses of the processes
 * themselves.
 */
const OUTSIDE = "";

export interface ServicesStart {
  readonly options: ClusterOptions;
  readonly layout: StateLayout;
  readonly identity: ClusterIdentity;
  readonly ports: ClusterPorts;
  readonly supervisor: Supervisor;
  readonly links: ClusterLinks;
}

/** The addresses at which a process reaches signers and nodes. */
const addressesFor = ({ options, identity, links }: ServicesStart, name: string): Addresses => {
  const urlOf = (local: LocalNetwork): string =>
    local === FIRST_NETWORK && options.evmRpcUrl !== undefined
      ? options.evmRpcUrl
      : `http://${links.addressOf(name, local.process)}`;
  return {
    ofSigner: (index) => links.addressOf(name, signerName(index)),
    networks: networkEntries(options, identity.clusterId, urlOf),
  };
};

/** Writes the cluster's roster and networks, with the addresses of the processes themselves. */
export const writeShared = (start: ServicesStart): void => {
  writeCluster(start.layout, start.identity, start.options, addressesFor(start, OUTSIDE));
};

/**
 * The start options of a service's process. If links are proxied, the process gets files of its own, with the proxies'
 * addresses.
 */
const launchOf = (start: ServicesStart, name: string, port: number | undefined): ServiceLaunch => {
  const { layout, options, identity } = start;
  if (port === undefined) throw new Error(`no port was chosen for ${name}`);
  if (options.links === "direct") {
    return { layout, options, name, port, roster: layout.roster, networks: layout.networks };
  }
  const folder = layout.links(name);
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const files = { roster: join(folder, "roster.json"), networks: join(folder, "networks.json") };
  writeCluster(files, identity, options, addressesFor(start, name));
  return { layout, options, name, port, ...files };
};

const at = (url: string, address: string): string => {
  const moved = new URL(url);
  moved.host = address;
  return moved.href;
};

/** The database and the bus at the addresses that a process uses. A database that the caller supplied has no proxy. */
const backingFor = ({ options, links }: ServicesStart, name: string, known: Backing): Backing => {
  const database = (url: string): string =>
    options.databaseUrl === undefined ? at(url, links.addressOf(name, "postgres")) : url;
  return {
    databaseUrl: database(known.databaseUrl),
    orchestratorDatabaseUrl: database(known.orchestratorDatabaseUrl),
    natsUrl: at(known.natsUrl, links.addressOf(name, "nats")),
    natsToken: known.natsToken,
  };
};

/** Starts a signer's process with the current files, and waits until it serves. Rejects with a LaunchError. */
export const startSignerProcess = (start: ServicesStart, index: number): Promise<void> =>
  startService(start, signerSpec(launchOf(start, signerName(index), start.ports.signers.get(index)), index));

/**
 * Stops the process of a gateway or an orchestrator, and starts it again with the current files. Rejects with a
 * LaunchError.
 */
export const startAnew = async (start: ServicesStart, name: string): Promise<void> => {
  const running = start.supervisor.process(name);
  launchOf(start, name, 0); // only writes its files: the port does not change
  await running.stop();
  await startService(start, running.spec);
};

/** Starts a service's process, and waits until it serves. Rejects with a LaunchError. */
export const startService = async (
  { supervisor, options }: Pick<ServicesStart, "supervisor" | "options">,
  spec: ProcessSpec,
): Promise<void> => {
  const started = await supervisor.start(spec);
  await started.ready(started.logLine(saysReady), SERVICE_DEADLINE_MS, options.signal);
  const { name } = spec;
  options.onProgress({ kind: "process", name, state: "ready", text: `${name} is ready` });
};

/** Whether a start goes on although this process has ended: it is a signer, and as many others run as sign together. */
export const canDoWithout = (
  { options, identity, supervisor }: Pick<ServicesStart, "options" | "identity" | "supervisor">,
  name: string,
): boolean => {
  if (options.waitsFor === "all") return false;
  const others = new Set(identity.signers.map(({ index }) => signerName(index)));
  if (!others.delete(name)) return false;
  const running = supervisor.status().filter((each) => others.has(each.name) && each.state === "running");
  return running.length >= options.threshold;
};

/** Starts a signer, and reports that it does not start where a start goes on without it. Rejects with a LaunchError where it does not. */
const startSignerOrReport = async (start: ServicesStart, index: number): Promise<void> => {
  try {
    await startSignerProcess(start, index);
  } catch (cause) {
    const { options } = start;
    if (options.signal?.aborted || !(cause instanceof LaunchError) || !canDoWithout(start, signerName(index)))
      throw cause;
    options.onProgress({
      kind: "notice",
      text: `${cause.message}\n${cause.remedy}\nThe cluster starts without ${signerName(index)}.`,
    });
  }
};

/**
 * Starts the signers and, once the database and the bus run, the gateways and orchestrators. Rejects with a LaunchError.
 * @param onTables called when the first gateway serves, and has therefore created the tables
 */
export const startServices = async (
  start: ServicesStart,
  backing: Promise<Backing>,
  onTables: (known: Backing) => Promise<void>,
): Promise<void> => {
  const { ports, identity } = start;
  const signers = identity.signers.map(({ index }) => startSignerOrReport(start, index));
  const behind = backing.then((known) => {
    const gateways = ports.gateways.map((port, position) => {
      const name = gatewayName(position + 1);
      return startService(start, gatewaySpec(launchOf(start, name, port), backingFor(start, name, known)));
    });
    const orchestrators = ports.orchestrators.map((port, position) => {
      const name = orchestratorName(position + 1);
      const spec = orchestratorSpec(launchOf(start, name, port), backingFor(start, name, known));
      return startService(start, spec);
    });
    const entered = gateways[0]?.then(() => onTables(known));
    return Promise.all([...gateways, ...orchestrators, entered]);
  });
  await Promise.all([behind, ...signers]);
};
