import { FIRST_NETWORK } from "../networks/network-table.ts";
import { onDemandNetworks } from "../networks/served-networks.ts";
import type { ClusterOptions } from "../options.ts";
import { gatewayName, orchestratorName, signerName } from "../parts/process-name.ts";
import type { ClusterPorts } from "../ports.ts";
import type { Neighbours } from "./cluster-links.ts";

type Shape = Pick<ClusterOptions, "links" | "databaseUrl" | "evmRpcUrl" | "networks" | "nodes">;

const portOf = (ports: ClusterPorts, network: string): number => ports.networks.get(network)?.port ?? 0;

/**
 * The ports of a cluster's own processes, and which of them call which through a proxy: none if links are direct.
 * Processes that the caller supplied, such as a database, are not included.
 */
export const neighboursOf = (options: Shape, ports: ClusterPorts): Neighbours => {
  const signers = [...ports.signers.keys()].map(signerName);
  const orchestrators = ports.orchestrators.map((_, at) => orchestratorName(at + 1));
  const gateways = ports.gateways.map((_, at) => gatewayName(at + 1));
  const backing = new Map([
    ["nats", ports.nats],
    ...(options.databaseUrl === undefined ? [["postgres", ports.postgres] as const] : []),
    ...(options.evmRpcUrl === undefined ? [[FIRST_NETWORK.process, ports.chain] as const] : []),
    ...onDemandNetworks(options).map(({ process, network }) => [process, portOf(ports, network)] as const),
  ]);
  const each = (callers: readonly string[], called: Iterable<string>) =>
    callers.flatMap((from) =>
      [...called].filter((to) => to !== from).map((to): readonly [string, string] => [from, to]),
    );
  return {
    ports: new Map([...[...ports.signers].map(([at, port]) => [signerName(at), port] as const), ...backing]),
    callers:
      options.links === "direct"
        ? []
        : [
            ...each([...signers, ...orchestrators], signers),
            ...each([...orchestrators, ...gateways], [...backing.keys()]),
          ],
  };
};
