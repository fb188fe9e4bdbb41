import { mkdirSync } from "node:fs";
import type { ClusterRequest } from "../options.ts";
import { clusterOptions } from "../options.ts";
import { stateLayout } from "../state/layout.ts";
import { provisionIdentities, writeCluster } from "./roster.ts";

export interface ProvisionRequest extends ClusterRequest {
  /** where the signers reach the EVM node */
  readonly rpcUrl: string;
  /** every signer listens on this port of a host that is called by its id */
  readonly signerPort: number;
}

/**
 * Writes the files of a cluster that something else runs, such as containers: identities, certificates, roster and
 * networks. What is there stays as it is. Rejects with a LaunchError when it is of another shape.
 * @returns the cluster's id
 */
export const provisionFiles = async (request: ProvisionRequest): Promise<string> => {
  const options = clusterOptions(request);
  const layout = stateLayout(options.state);
  mkdirSync(layout.root, { recursive: true, mode: 0o755 });
  const identity = await provisionIdentities(layout, options);
  const { rpcUrl, signerPort } = request;
  writeCluster(layout, identity, options, { ofSigner: (index) => `signer-${index}:${signerPort}`, rpcUrl });
  return identity.clusterId;
};
