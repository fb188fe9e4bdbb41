import { unitsOf } from "../amount.ts";
import { LaunchError } from "../launch-error.ts";
import type { NodeUrls } from "./local-network.ts";
import { LOCAL_NETWORKS } from "./network-table.ts";

/** A network as a running cluster describes it. */
export interface DescribedNetwork extends NodeUrls {
  readonly network: string;
}

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
  const local = LOCAL_NETWORKS.find((one) => one.network === network);
  const described = served.find((one) => one.network === network);
  if (local === undefined || described === undefined) {
    throw new LaunchError(
      `this cluster has no local node of ${network}, so nobody can make money there`,
      `It has nodes of ${served.map((one) => one.network).join(", ")}.`,
    );
  }
  const units = unitsOf(amount, local.decimals);
  await local.fund(described, address, units);
  return units;
};
