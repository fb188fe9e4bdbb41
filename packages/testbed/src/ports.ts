import { freePorts } from "@conclave/platform";
import { choosePorts, type PortChoice } from "./host/ports.ts";
import { LOCAL_NETWORKS } from "./networks/network-table.ts";
import type { NodePorts } from "./networks/on-demand-node.ts";
import type { ClusterOptions } from "./options.ts";
import { gatewayName, orchestratorName, signerName } from "./parts/process-name.ts";

const FIXED = { chain: 8545, nats: 4222, postgres: 5433 } as const;
const FIRST_GATEWAY = 8080;
const FIRST_ORCHESTRATOR = 8081;
/** distance between the ports of consecutive gateways or orchestrators */
const SERVICE_STEP = 10;
const FIRST_SIGNER = 9101;
/**
 * Each network of the table has two ports from here on, by its position in the table: its node's and its admin
 * endpoint's.
 */
const FIRST_NETWORK_PORT = 8600;

export interface ClusterPorts {
  /** in order of their numbers */
  readonly gateways: readonly number[];
  readonly orchestrators: readonly number[];
  readonly chain: number;
  readonly nats: number;
  readonly postgres: number;
  /** of the other networks' nodes, by network */
  readonly networks: ReadonlyMap<string, NodePorts>;
  /** by signer index */
  readonly signers: ReadonlyMap<number, number>;
}

const adminName = (network: string): string => `the admin endpoint of ${network}`;

const wantedOfNetwork = (network: string): readonly (readonly [string, number])[] => {
  const place = LOCAL_NETWORKS.findIndex((local) => local.network === network);
  const port = FIRST_NETWORK_PORT + 2 * place;
  return [
    [network, port],
    [adminName(network), port + 1],
  ];
};

type Counts = Pick<ClusterOptions, "gateways" | "orchestrators">;

/** The numbers from 1 to `count`. */
const numbersTo = (count: number): readonly number[] =>
  Array.from({ length: count }, (_, position) => position + 1);

const wantedOfSigners = (indices: readonly number[]): Record<string, number> =>
  Object.fromEntries(indices.map((index) => [signerName(index), FIRST_SIGNER + index - 1]));

const wantedPorts = (
  { gateways, orchestrators }: Counts,
  networks: readonly string[],
): Record<string, number> => ({
  ...FIXED,
  ...Object.fromEntries(
    numbersTo(gateways).map((number) => [gatewayName(number), FIRST_GATEWAY + SERVICE_STEP * (number - 1)]),
  ),
  ...Object.fromEntries(
    numbersTo(orchestrators).map((number) => [
      orchestratorName(number),
      FIRST_ORCHESTRATOR + SERVICE_STEP * (number - 1),
    ]),
  ),
  ...Object.fromEntries(networks.flatMap(wantedOfNetwork)),
});

const anyPorts = async (names: readonly string[]): Promise<readonly PortChoice[]> => {
  const ports = await freePorts(names.length);
  return names.map((name, position) => ({ name, port: ports[position] ?? 0 }));
};

type Choosing = Pick<ClusterOptions, "ports" | "onProgress">;

/** Chooses a port for each name. If a fixed port is in use, a free one replaces it, with a notice. */
const choose = async (
  { ports, onProgress }: Choosing,
  wanted: Record<string, number>,
): Promise<(name: string) => number> => {
  const choices = await (ports === "fixed" ? choosePorts(wanted) : anyPorts(Object.keys(wanted)));
  for (const { name, port, taken } of choices) {
    if (taken === undefined) continue;
    onProgress({
      kind: "notice",
      text: `port ${taken} is taken by another program, so ${name} listens on ${port}; free ${taken} and start again to have it back`,
    });
  }
  const chosen = new Map(choices.map(({ name, port }) => [name, port]));
  return (name) => {
    const port = chosen.get(name);
    if (port === undefined) throw new Error(`no port was chosen for ${name}`);
    return port;
  };
};

/** Chooses ports for additional signers, by their indices. */
export const signerPorts = async (
  options: Choosing,
  indices: readonly number[],
): Promise<ReadonlyMap<number, number>> => {
  const of = await choose(options, wantedOfSigners(indices));
  return new Map(indices.map((index) => [index, of(signerName(index))]));
};

/** Chooses the ports of all processes, nodes of networks included. @param signers their indices */
export const clusterPorts = async (
  options: Counts & Choosing,
  signers: readonly number[],
  networks: readonly string[],
): Promise<ClusterPorts> => {
  const of = await choose(options, { ...wantedPorts(options, networks), ...wantedOfSigners(signers) });
  return {
    gateways: numbersTo(options.gateways).map((number) => of(gatewayName(number))),
    orchestrators: numbersTo(options.orchestrators).map((number) => of(orchestratorName(number))),
    chain: of("chain"),
    nats: of("nats"),
    postgres: of("postgres"),
    networks: new Map(
      networks.map((network) => [network, { port: of(network), adminPort: of(adminName(network)) }]),
    ),
    signers: new Map(signers.map((index) => [index, of(signerName(index))])),
  };
};
