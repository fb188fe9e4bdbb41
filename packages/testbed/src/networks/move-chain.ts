import { LaunchError } from "../launch-error.ts";
import type { ChainMove, ChainTip } from "./chain-move.ts";
import { type DescribedNetwork, localNodeOf } from "./local-node.ts";
import { LOCAL_NETWORKS } from "./network-table.ts";

/**
 * Makes blocks on a development network, moves its clock, or replaces its latest blocks.
 * @param served the networks with a local node, as the cluster describes them
 * @returns the latest block afterwards
 * @throws LaunchError when the network has no local node, never replaces a block, or the node refuses
 */
export const moveChain = async (
  served: readonly DescribedNetwork[],
  network: string,
  move: ChainMove,
): Promise<ChainTip> => {
  const { local, urls } = await localNodeOf(served, network, "nobody can move its chain");
  if (move.kind === "reorganise" && local.finality !== undefined) {
    throw new LaunchError(
      `${network} has no reorganisations: ${local.finality}`,
      `Blocks can be replaced on ${replaceable(served).join(", ")}.`,
    );
  }
  return local.move(urls, move);
};

const replaceable = (served: readonly DescribedNetwork[]): readonly string[] =>
  served
    .map(({ network }) => network)
    .filter((network) => LOCAL_NETWORKS.some((one) => one.network === network && one.finality === undefined));
