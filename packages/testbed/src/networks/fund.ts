import { parseUnits } from "viem/utils";
import { LaunchError } from "../launch-error.ts";
import type { LocalNetwork, NodeUrls } from "./local-network.ts";
import { LOCAL_NETWORKS } from "./network-table.ts";

/** A network as a running cluster describes it. */
export interface DescribedNetwork extends NodeUrls {
  readonly network: string;
}

const unitsOf = (text: string, { network, decimals }: LocalNetwork): bigint => {
  const [, fraction = ""] = text.split(".");
  const isDecimal = /^\d{1,12}(\.\d{1,18})?$/.test(text) && fraction.length <= decimals;
  const units = isDecimal ? parseUnits(text, decimals) : 0n;
  if (units > 0n) return units;
  throw new LaunchError(
    `${text} is no amount of ${network}'s coin`,
    `Give a positive number of whole coins with up to ${decimals} decimal places, such as 1.5.`,
  );
};

/**
 * Pays an account out of a development network's faucet.
 * @param served the networks with a local node, as the cluster describes them
 * @param amount in whole coins, as a decimal such as "1.5"
 * @returns what was paid, in the coin's smallest unit
 * @throws LaunchError when there is no such network, or the node refuses
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
  const units = unitsOf(amount, local);
  await local.fund(described, address, units);
  return units;
};
