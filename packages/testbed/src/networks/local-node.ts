import { typedCommand } from "../host/typed-command.ts";
import { LaunchError } from "../launch-error.ts";
import type { LocalNetwork, NodeUrls } from "./local-network.ts";
import { LOCAL_NETWORKS } from "./network-table.ts";

/** A network as a running cluster describes it. */
export interface DescribedNetwork extends NodeUrls {
  readonly network: string;
}

/** A cluster's local node of a network. */
export interface LocalNode {
  readonly local: LocalNetwork;
  readonly urls: NodeUrls;
}

/** Longer than a node's process takes to start on a busy machine. */
const START_MS = 60_000;
/** A call that fails sooner was refused or cut off; one that takes longer waits for a node that starts. */
const AT_ONCE_MS = 1_000;

/** Whether a node answers. A node that starts gets time; one that refuses the connection does not. */
const answersInTime = async (local: LocalNetwork, urls: NodeUrls): Promise<boolean> => {
  const start = performance.now();
  let asked: number;
  do {
    asked = performance.now();
    if (await local.answers(urls)) return true;
  } while (performance.now() - asked > AT_ONCE_MS && asked - start < START_MS);
  return false;
};

/**
 * The node of a network of a cluster; its process starts here unless it runs.
 * @param served the networks with a local node, as the cluster describes them
 * @param refused the consequence for the caller if there is none, as the end of a sentence
 * @throws LaunchError when the network has no local node, or the node does not answer
 */
export const localNodeOf = async (
  served: readonly DescribedNetwork[],
  network: string,
  refused: string,
): Promise<LocalNode> => {
  const local = LOCAL_NETWORKS.find((one) => one.network === network);
  const urls = served.find((one) => one.network === network);
  if (local === undefined || urls === undefined) {
    throw new LaunchError(
      `this cluster has no local node of ${network}, so ${refused}`,
      `It has nodes of ${served.map((one) => one.network).join(", ")}.`,
    );
  }
  if (await answersInTime(local, urls)) return { local, urls };
  throw new LaunchError(
    `the node of ${network} does not answer`,
    `\`${typedCommand("status")}\` shows what runs; \`${typedCommand("up")}\` starts the cluster.`,
  );
};
