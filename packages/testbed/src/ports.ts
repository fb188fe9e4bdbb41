import { choosePorts, freePorts, type PortChoice } from "./host/ports.ts";
import { LOCAL_NETWORKS } from "./networks/network-table.ts";
import type { NodePorts } from "./networks/on-demand-node.ts";
import type { ClusterOptions } from "./options.ts";
import type { OnProgress } from "./progress.ts";

const FIXED = { gateway: 8080, orchestrator: 8081, chain: 8545, nats: 4222, postgres: 5433 } as const;
const FIRST_SIGNER = 9101;
/** Each network of the table has two ports from here on, by its place in the table: its node's and its admin endpoint's. */
const FIRST_NETWORK_PORT = 8600;

export interface ClusterPorts {
  readonly gateway: number;
  readonly orchestrator: number;
  readonly chain: number;
  readonly nats: number;
  readonly postgres: number;
  /** of the other networks' nodes, by network */
  readonly networks: ReadonlyMap<string, NodePorts>;
  /** by signer index, from 1 */
  readonly signers: ReadonlyMap<number, number>;
}

const signerName = (index: number): string => `signer-${index}`;

const adminName = (network: string): string => `the admin endpoint of ${network}`;

const wantedOfNetwork = (network: string): readonly (readonly [string, number])[] => {
  const place = LOCAL_NETWORKS.findIndex((local) => local.network === network);
  const port = FIRST_NETWORK_PORT + 2 * place;
  return [
    [network, port],
    [adminName(network), port + 1],
  ];
};

const wantedPorts = (signers: number, networks: readonly string[]): Record<string, number> => ({
  ...FIXED,
  ...Object.fromEntries(networks.flatMap(wantedOfNetwork)),
  ...Object.fromEntries(
    Array.from({ length: signers }, (_, position) => [signerName(position + 1), FIRST_SIGNER + position]),
  ),
});

const anyPorts = async (names: readonly string[]): Promise<readonly PortChoice[]> => {
  const ports = await freePorts(names.length);
  return names.map((name, position) => ({ name, port: ports[position] ?? 0 }));
};

/** Chooses the port of every process, and of every network's node but the first one's. If a fixed port is taken, a free one replaces it, and a notice says so. */
export const clusterPorts = async (
  options: Pick<ClusterOptions, "ports" | "signers">,
  networks: readonly string[],
  onProgress: OnProgress,
): Promise<ClusterPorts> => {
  const wanted = wantedPorts(options.signers, networks);
  const choices = await (options.ports === "fixed" ? choosePorts(wanted) : anyPorts(Object.keys(wanted)));
  for (const { name, port, taken } of choices) {
    if (taken === undefined) continue;
    onProgress({
      kind: "notice",
      text: `port ${taken} is taken by another program, so ${name} listens on ${port}; free ${taken} and start again to have it back`,
    });
  }
  const chosen = new Map(choices.map(({ name, port }) => [name, port]));
  const of = (name: string): number => {
    const port = chosen.get(name);
    if (port === undefined) throw new Error(`no port was chosen for ${name}`);
    return port;
  };
  const indices = Array.from({ length: options.signers }, (_, position) => position + 1);
  return {
    gateway: of("gateway"),
    orchestrator: of("orchestrator"),
    chain: of("chain"),
    nats: of("nats"),
    postgres: of("postgres"),
    networks: new Map(
      networks.map((network) => [network, { port: of(network), adminPort: of(adminName(network)) }]),
    ),
    signers: new Map(indices.map((index) => [index, of(signerName(index))])),
  };
};
