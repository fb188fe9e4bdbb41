import { unitsOf } from "../amount.ts";
import { type DescribedNetwork, localNodeOf } from "./local-node.ts";

/**
 * Pays an account out of a development network's faucet.
 * @param served the networks with a local node, as the cluster describes them
 * @param amount in whole coins, as a decimal such as "1.5"
 * @returns the paid amount, in the coin's smallest unit
 * @throws LaunchError when the network has no local node, or the node refuses
 */
export const fundAccount = async (
  served: readonly DescribedNetwork[],
  network: string,
  address: string,
  amount: string,
): Promise<bigint> => {
  const { local, urls } = await localNodeOf(served, network, "nobody can make money there");
  const units = unitsOf(amount, local.decimals);
  await local.fund(urls, address, units);
  return units;
};
