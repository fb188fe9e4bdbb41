import { freePorts } from "@conclave/platform";
import { choosePorts, type PortChoice } from "./host/ports.ts";
import { LaunchError } from "./launch-error.ts";
import { LOCAL_NETWORKS } from "./networks/network-table.ts";
import type { NodePorts } from "./networks/on-demand-node.ts";
import type { ClusterOptions } from "./options.ts";
import { gatewayName, orchestratorName, signerName } from "./parts/process-name.ts";

/** The first port of each kind of process. */
interface PortLayout {
  readonly gateway: number;
  readonly orchestrator: number;
  readonly chain: number;
  readonly nats: number;
  readonly postgres: number;
  readonly signer: number;
  /** each network of the table has two ports from here on, by its position there: its node's and its admin endpoint's */
  readonly network: number;
}

const USUAL: PortLayout = {
  gateway: 8080,
  orchestrator: 8081,
  chain: 8545,
  nats: 4222,
  postgres: 5433,
  signer: 9101,
  network: 8600,
};
/** distance between the ports of consecutive gateways or orchestrators */
const SERVICE_STEP = 10;

/** All ports of a cluster from one on, which is the first gateway's. */
const layoutFrom = (first: number): PortLayout => ({
  gateway: first,
  orchestrator: first + 1,
  chain: first + 2,
  nats: first + 3,
  postgres: first + 4,
  signer: first + 101,
  network: first + 200,
});

/** A cluster whose ports are chosen takes them from this many. */
export const PORTS_OF_A_CLUSTER = 300;

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

const wantedOfNetwork = (layout: PortLayout, network: string): readonly (readonly [string, number])[] => {
  const place = LOCAL_NETWORKS.findIndex((local) => local.network === network);
  const port = layout.network + 2 * place;
  return [
    [network, port],
    [adminName(network), port + 1],
  ];
};

type Counts = Pick<ClusterOptions, "gateways" | "orchestrators">;

/** The numbers from 1 to `count`. */
const numbersTo = (count: number): readonly number[] =>
  Array.from({ length: count }, (_, position) => position + 1);

const wantedOfSigners = (layout: PortLayout, indices: readonly number[]): Record<string, number> =>
  Object.fromEntries(indices.map((index) => [signerName(index), layout.signer + index - 1]));

const wantedPorts = (
  layout: PortLayout,
  { gateways, orchestrators }: Counts,
  networks: readonly string[],
): Record<string, number> => ({
  chain: layout.chain,
  nats: layout.nats,
  postgres: layout.postgres,
  ...Object.fromEntries(
    numbersTo(gateways).map((number) => [gatewayName(number), layout.gateway + SERVICE_STEP * (number - 1)]),
  ),
  ...Object.fromEntries(
    numbersTo(orchestrators).map((number) => [
      orchestratorName(number),
      layout.orchestrator + SERVICE_STEP * (number - 1),
    ]),
  ),
  ...Object.fromEntries(networks.flatMap((network) => wantedOfNetwork(layout, network))),
});

const anyPorts = async (names: readonly string[]): Promise<readonly PortChoice[]> => {
  const ports = await freePorts(names.length);
  return names.map((name, position) => ({ name, port: ports[position] ?? 0 }));
};

type Choosing = Pick<ClusterOptions, "ports" | "onProgress">;

/** One line about all ports that other programs hold. */
const takenNotice = (taken: readonly PortChoice[]): string => {
  const [first, ...others] = taken;
  if (first === undefined) return "";
  if (others.length === 0) {
    return `port ${first.taken} is taken by another program, so ${first.name} listens on ${first.port}; free ${first.taken} and start again to have it back`;
  }
  return `${taken.length} of its usual ports are taken by other programs, such as another cluster: ${first.name} and ${others.length} others listen on free ones, which \`conclave status\` shows`;
};

const refuseTaken = (taken: readonly PortChoice[]): void => {
  if (taken.length === 0) return;
  const named = taken.slice(0, 3).map((choice) => `${choice.taken} of ${choice.name}`);
  throw new LaunchError(
    `ports are taken by other programs: ${named.join(", ")}${taken.length > named.length ? ", …" : ""}`,
    `Choose another first port; a cluster takes its ports from ${PORTS_OF_A_CLUSTER} in a row.`,
  );
};

const layoutOf = (ports: ClusterOptions["ports"]): PortLayout =>
  typeof ports === "string" ? USUAL : layoutFrom(ports.first);

/**
 * Chooses a port for each name. If a usual port is in use, a free one replaces it, with a notice.
 * @throws LaunchError where a port is in use that was asked for
 */
const choose = async (
  { ports, onProgress }: Choosing,
  wanted: Record<string, number>,
): Promise<(name: string) => number> => {
  const choices = await (ports === "free" ? anyPorts(Object.keys(wanted)) : choosePorts(wanted));
  const taken = choices.filter((choice) => choice.taken !== undefined);
  if (ports !== "fixed") refuseTaken(taken);
  else if (taken.length > 0) onProgress({ kind: "notice", text: takenNotice(taken) });
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
  const of = await choose(options, wantedOfSigners(layoutOf(options.ports), indices));
  return new Map(indices.map((index) => [index, of(signerName(index))]));
};

/** Chooses the ports of all processes, nodes of networks included. @param signers their indices */
export const clusterPorts = async (
  options: Counts & Choosing,
  signers: readonly number[],
  networks: readonly string[],
): Promise<ClusterPorts> => {
  const layout = layoutOf(options.ports);
  const of = await choose(options, {
    ...wantedPorts(layout, options, networks),
    ...wantedOfSigners(layout, signers),
  });
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
