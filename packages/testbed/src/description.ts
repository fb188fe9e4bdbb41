import { DEVELOPMENT_CHAIN_ID, DEVELOPMENT_NETWORK } from "./development-network.ts";
import type { DescribedNetwork } from "./networks/local-node.ts";
import { describeNetworks } from "./networks/served-networks.ts";
import type { ClusterOptions } from "./options.ts";
import type { ClusterPorts } from "./ports.ts";
import type { DeveloperAccess } from "./provision/developer.ts";
import type { ClusterIdentity } from "./provision/identities.ts";

/** The addresses and credentials of a cluster. The banner shows them, and programs read them with --json. */
export interface ClusterDescription {
  readonly clusterId: string;
  readonly state: string;
  readonly parameters: string;
  readonly threshold: number;
  readonly api: { readonly url: string };
  readonly orchestrator: { readonly url: string };
  /** all gateways; the first one's address is also above */
  readonly gateways: readonly { readonly url: string }[];
  readonly orchestrators: readonly { readonly url: string }[];
  readonly chain: {
    readonly network: string;
    readonly chainId: number;
    readonly rpcUrl: string;
    /** false if the node is not this cluster's own development chain; then accounts cannot be funded */
    readonly development: boolean;
  };
  /** the networks with a node of this cluster; nodes other than the first start at the first call */
  readonly networks: readonly DescribedNetwork[];
  /** identity and credentials for API calls */
  readonly developer: DeveloperAccess;
  readonly signers: readonly { readonly id: string; readonly index: number; readonly address: string }[];
}

const urlOf = (port: number | undefined): { readonly url: string } => ({ url: `http://127.0.0.1:${port}` });

export const describeCluster = (
  options: ClusterOptions,
  identity: ClusterIdentity,
  ports: ClusterPorts,
  rpcUrl: string,
  developer: DeveloperAccess,
): ClusterDescription => ({
  clusterId: identity.clusterId,
  state: options.state,
  parameters: options.parameters,
  threshold: options.threshold,
  api: urlOf(ports.gateways[0]),
  orchestrator: urlOf(ports.orchestrators[0]),
  gateways: ports.gateways.map(urlOf),
  orchestrators: ports.orchestrators.map(urlOf),
  chain: {
    network: DEVELOPMENT_NETWORK,
    chainId: DEVELOPMENT_CHAIN_ID,
    rpcUrl,
    development: options.evmRpcUrl === undefined,
  },
  networks: describeNetworks(options, ports),
  developer,
  signers: identity.signers.map(({ id, index }) => ({
    id,
    index,
    address: `127.0.0.1:${ports.signers.get(index)}`,
  })),
});
