import { fundAccount, LaunchError, LOCAL_NETWORKS } from "@conclave/testbed";
import { readDescription, stateLayout } from "@conclave/testbed/launch";

/**
 * `conclave fund`: pays an address out of the faucet of a local network.
 * @param state the cluster's state folder
 * @param amount in whole coins
 * @throws LaunchError when no cluster runs there, or the network has no local node, or the node refuses
 */
export const fund = async (
  state: string,
  network: string,
  address: string,
  amount: string,
): Promise<void> => {
  const description = readDescription(stateLayout(state));
  if (description === undefined) {
    throw new LaunchError(`no cluster has been started in ${state}`, "Start one with make up.");
  }
  const units = await fundAccount(description.networks, network, address, amount);
  const decimals = LOCAL_NETWORKS.find((local) => local.network === network)?.decimals ?? 0;
  process.stdout.write(
    `${address} gets ${amount} coins on ${network}: ${units} units of ${decimals} decimal places\n`,
  );
};
