import type { NodeRegistry } from "@conclave/chains/node";
import type { World } from "@conclave/custody";
import type { ProcessLife } from "../process/parts.ts";
import { openSimulatedBitcoin } from "./bitcoin/simulated-bitcoin.ts";
import { openSimulatedChain } from "./simulated-chain.ts";
import type { LaggingViews, WorldChain } from "./world-chain.ts";
import { ACCOUNTS_NETWORK, COINS_NETWORK } from "./world-networks.ts";

/** The parts from which the chains of a world are opened. */
export interface ChainGround {
  /** the world of each chain, by its name */
  readonly worldOf: (name: string) => World;
  readonly seed: string;
  readonly views: LaggingViews;
}

/** The networks that a world can have, each with its chain. */
const CHAINS: Readonly<Record<string, (ground: ChainGround) => WorldChain>> = {
  [ACCOUNTS_NETWORK]: ({ worldOf, views }) => openSimulatedChain(worldOf("chain"), views),
  [COINS_NETWORK]: ({ worldOf, seed, views }) => openSimulatedBitcoin(worldOf("coins"), seed, views),
};

/**
 * Opens the chains of a world: that of accounts where no network is named.
 * @throws RangeError for a network that no world has
 */
export const openWorldChains = (
  networks: readonly string[] | undefined,
  ground: ChainGround,
): readonly WorldChain[] =>
  (networks ?? [ACCOUNTS_NETWORK]).map((network) => {
    const open = CHAINS[network];
    if (open === undefined) throw new RangeError(`no world has the network ${network}`);
    return open(ground);
  });

/** The chain of a network. @throws where the world has none */
export const chainServing = (chains: readonly WorldChain[], network: string): WorldChain => {
  const found = chains.find(({ entry }) => entry.network === network);
  if (found === undefined) throw new RangeError(`this world has no network ${network}`);
  return found;
};

/** The nodes of all chains, as one life of a process reaches each over a link of its own. */
export const nodesOfLife = (
  chains: readonly WorldChain[],
  { world, linkToNode }: Pick<ProcessLife, "world" | "linkToNode">,
): NodeRegistry => ({
  connect: ({ network }) => {
    const chain = chainServing(chains, network);
    return chain.nodeOver(linkToNode(chain), world);
  },
});
