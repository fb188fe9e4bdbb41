import { freePorts } from "@conclave/platform";
import { LaunchError } from "../launch-error.ts";
import type { ClusterOptions } from "../options.ts";
import type { ClusterPorts } from "../ports.ts";
import type { StateLayout } from "../state/layout.ts";
import type { Supervisor } from "../supervisor.ts";
import type { LocalNetwork, NodeUrls } from "./local-network.ts";
import type { DescribedNetwork } from "./local-node.ts";
import { chooseNetworks, FIRST_NETWORK } from "./network-table.ts";
import { type NodePorts, OnDemandNode } from "./on-demand-node.ts";

const NODE_DEADLINE_MS = 30_000;

type Choice = Pick<ClusterOptions, "networks" | "nodes" | "evmRpcUrl">;

/** The networks whose local node starts on demand: the chosen ones, except the first and those with a real node. */
export const onDemandNetworks = ({ networks, nodes }: Choice): readonly LocalNetwork[] => {
  const given = new Set(nodes.map(({ network }) => network));
  return chooseNetworks(networks).filter((local) => local !== FIRST_NETWORK && !given.has(local.network));
};

const portsOf = (ports: ClusterPorts, { network }: LocalNetwork): NodePorts => {
  const own = ports.networks.get(network);
  if (own === undefined) throw new Error(`no port was chosen for ${network}`);
  return own;
};

/** The URLs of a network's node, for services and clients. */
const nodeUrls = (ports: NodePorts): NodeUrls => ({
  url: `http://127.0.0.1:${ports.port}`,
  adminUrl: `http://127.0.0.1:${ports.adminPort}`,
});

/**
 * The entries of the networks file: the first network, the caller's own entries, and the local networks.
 * @param urlOf returns the URL of a local network's node
 */
export const networkEntries = (
  options: Choice,
  seed: string,
  urlOf: (local: LocalNetwork) => string,
): readonly object[] => [
  FIRST_NETWORK.entry(urlOf(FIRST_NETWORK), seed),
  ...options.nodes,
  ...onDemandNetworks(options).map((local) => local.entry(urlOf(local), seed)),
];

/** The networks with a local node, and their URLs, for the cluster's description. */
export const describeNetworks = (options: Choice, ports: ClusterPorts): readonly DescribedNetwork[] => {
  const isLocal = options.evmRpcUrl === undefined;
  const first = nodeUrls({ port: ports.chain, adminPort: ports.chain });
  return [
    ...(isLocal ? [{ network: FIRST_NETWORK.network, ...first }] : []),
    ...onDemandNetworks(options).map((local) => ({
      network: local.network,
      ...nodeUrls(portsOf(ports, local)),
    })),
  ];
};

export interface NetworksStart {
  readonly options: ClusterOptions;
  readonly layout: StateLayout;
  readonly ports: ClusterPorts;
  readonly supervisor: Supervisor;
  readonly seed: string;
}

const startNode = async (start: NetworksStart, local: LocalNetwork): Promise<NodePorts> => {
  const { options, layout, supervisor, seed } = start;
  const [port = 0, adminPort = 0] = await freePorts(2);
  const spec = local.spec({
    folder: layout.node(local.network),
    logFile: layout.log(local.process),
    port,
    adminPort,
    seed,
    blockTimeSeconds: options.blockTimeSeconds,
  });
  const urls = nodeUrls({ port, adminPort });
  try {
    const node = await supervisor.start(spec);
    await node.ready(() => local.answers(urls), NODE_DEADLINE_MS);
  } catch (cause) {
    const words = cause instanceof LaunchError ? `${cause.message}\n${cause.remedy}` : String(cause);
    // the process may still be starting; the next call starts it again
    await supervisor.stop([spec.name]);
    options.onProgress({ kind: "notice", text: `the node of ${local.network} does not start: ${words}` });
    throw cause;
  }
  options.onProgress({ kind: "process", name: spec.name, state: "ready", text: `${spec.name} is ready` });
  return { port, adminPort };
};

/** Listens for the first call to each network's node; until then its process does not run. */
export const serveNetworks = (start: NetworksStart): Promise<readonly (readonly [string, OnDemandNode])[]> =>
  Promise.all(
    onDemandNetworks(start.options).map(async (local): Promise<readonly [string, OnDemandNode]> => {
      const own = portsOf(start.ports, local);
      return [local.network, await OnDemandNode.listen(own, () => startNode(start, local))];
    }),
  );
