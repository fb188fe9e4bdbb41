import { existsSync, mkdirSync } from "node:fs";
import { FIRST_NETWORK } from "../networks/network-table.ts";
import type { ClusterRequest } from "../options.ts";
import { clusterOptions } from "../options.ts";
import { stateLayout } from "../state/layout.ts";
import { provisionIdentities, writeCluster } from "./roster.ts";

export interface ProvisionRequest extends ClusterRequest {
  /** URL of the EVM node, as the signers reach it */
  readonly rpcUrl: string;
  /** port on which every signer listens; its host name is its id */
  readonly signerPort: number;
}

/**
 * Writes the files of a cluster that something else runs, such as containers: identities, certificates, roster and networks.
 * Existing files stay as they are, the networks file too: operators write their nodes into it. Rejects with a LaunchError if the
 * files are of a cluster with another n, t or parameter set.
 * @returns the cluster's id
 */
export const provisionFiles = async (request: ProvisionRequest): Promise<string> => {
  const options = clusterOptions(request);
  const layout = stateLayout(options.state);
  mkdirSync(layout.root, { recursive: true, mode: 0o755 });
  const identity = await provisionIdentities(layout, options);
  const { rpcUrl, signerPort } = request;
  writeCluster(layout, identity, options, {
    ofSigner: (index) => `signer-${index}:${signerPort}`,
    networks: existsSync(layout.networks) ? undefined : [FIRST_NETWORK.entry(rpcUrl, identity.clusterId)],
  });
  return identity.clusterId;
};
