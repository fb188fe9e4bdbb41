import type { NodeRegistry } from "@conclave/chains/node";
import type { World } from "@conclave/custody";
import type { ProcessLife } from "../process/parts.ts";
import { COINS_NETWORK } from "./bitcoin/coins-network.ts";
import { openSimulatedChain, SIMULATED_NETWORK } from "./simulated-chain.ts";
import type { WorldChain } from "./world-chain.ts";

/** Opens the chains of a world. @param worldOf the world of each, by its name */
export type OpensChains = (worldOf: (name: string) => World, seed: string) => readonly WorldChain[];

/** The networks that a world can have, each with its chain. The code of coins is loaded where a world has them. */
const CHAINS: Readonly<Record<string, () => Promise<OpensChains>>> = {
  [SIMULATED_NETWORK]: async () => (worldOf) => [openSimulatedChain(worldOf("chain"))],
  [COINS_NETWORK]: async () => {
    const { openSimulatedBitcoin } = await import("./bitcoin/simulated-bitcoin.ts");
    return (worldOf, seed) => [openSimulatedBitcoin(worldOf("coins"), seed)];
  },
};

/** The networks that a world can have. */
export const WORLD_NETWORKS: readonly string[] = Object.keys(CHAINS);

/** Loads the chains of networks: of the one of accounts where none are named. @throws RangeError for a network that no world has */
export const loadWorldChains = async (
  networks: readonly string[] = [SIMULATED_NETWORK],
): Promise<OpensChains> => {
  const loaded = await Promise.all(
    networks.map((network) => {
      const load = CHAINS[network];
      if (load === undefined) throw new RangeError(`no world has the network ${network}`);
      return load();
    }),
  );
  return (worldOf, seed) => loaded.flatMap((open) => open(worldOf, seed));
};

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
