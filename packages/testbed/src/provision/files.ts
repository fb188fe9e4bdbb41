import { existsSync, mkdirSync, readFileSync } from "node:fs";
import { loadRoster } from "@conclave/platform";
import { z } from "zod";
import { containedNodeUrl } from "../networks/contained-node.ts";
import type { LocalNetwork } from "../networks/local-network.ts";
import { chooseNetworks, FIRST_NETWORK } from "../networks/network-table.ts";
import type { ClusterRequest } from "../options.ts";
import { stateLayout } from "../state/layout.ts";
import { giveOperatorsFiles } from "./operators-files.ts";
import { optionsFor, provisionIdentities, writeCluster } from "./roster.ts";

export interface ProvisionRequest extends ClusterRequest {
  /** URL of the first network's node, as the services reach it */
  readonly rpcUrl: string;
  /** port on which every signer listens; a signer's host name is its id */
  readonly signerPort: number;
  /** the seed of the simulated chains, from which their first blocks are derived; by default the cluster's id */
  readonly seed?: string;
}

/** The result of a run of provisioning. */
export interface Provisioned {
  readonly clusterId: string;
  /** whether this run made the cluster */
  readonly isNew: boolean;
  /** the names of the networks in the networks file */
  readonly networks: readonly string[];
  /** entries that were asked for, but that an existing networks file lacks */
  readonly lacking: readonly object[];
}

const namesSchema = z.array(z.looseObject({ network: z.string() }));

/**
 * The networks in a file that an operator may have written; empty if the file is invalid, which the services report
 * later.
 */
const namesIn = (file: string): readonly string[] => {
  try {
    return namesSchema.parse(JSON.parse(readFileSync(file, "utf8"))).map(({ network }) => network);
  } catch {
    return [];
  }
};

/**
 * Writes the files of a cluster that runs in containers or the like: identities, certificates, roster, networks and
 * prices. Existing files stay unchanged, including those of networks and prices, which operators edit. Rejects with a
 * LaunchError if the files belong to a cluster with another n, t or parameter set, or a network has no local node.
 */
export const provisionFiles = async (request: ProvisionRequest): Promise<Provisioned> => {
  const options = await optionsFor(request);
  const chosen = chooseNetworks(options.networks);
  const layout = stateLayout(options.state);
  mkdirSync(layout.root, { recursive: true, mode: 0o755 });
  const known = existsSync(layout.roster) ? (await loadRoster(layout.roster)).signers : [];
  const identity = await provisionIdentities(layout, options);
  const { rpcUrl, signerPort, seed = identity.clusterId } = request;
  const entryOf = (local: LocalNetwork): object =>
    local.entry(local === FIRST_NETWORK ? rpcUrl : containedNodeUrl(local), seed);
  writeCluster(layout, identity, options, {
    ofSigner: (index) =>
      known.find((signer) => signer.index === index)?.address ?? `signer-${index}:${signerPort}`,
    networks: existsSync(layout.networks) ? undefined : chosen.map(entryOf),
  });
  giveOperatorsFiles(layout);
  const networks = namesIn(layout.networks);
  const lacking = chosen.filter((local) => local !== FIRST_NETWORK && !networks.includes(local.network));
  return {
    clusterId: identity.clusterId,
    isNew: known.length === 0,
    networks,
    lacking: lacking.map(entryOf),
  };
};
