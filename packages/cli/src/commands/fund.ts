import { fundAccount, LaunchError, LOCAL_NETWORKS } from "@conclave/testbed";
import { readDescription, stateLayout } from "@conclave/testbed/launch";

/**
 * `conclave fund`: pays an address, or a wallet's address, out of the faucet of a local network.
 * @param state the cluster's state folder
 * @param network of the address; undefined for a wallet, which has a network of its own
 * @param payee an address, or a wallet's id or name
 * @param amount in whole coins
 * @throws LaunchError when no cluster runs there, the network has no local node, or the node refuses
 */
export const fund = async (
  state: string,
  network: string | undefined,
  payee: string,
  amount: string,
): Promise<void> => {
  const description = readDescription(stateLayout(state));
  if (description === undefined) {
    throw new LaunchError(`no cluster has been started in ${state}`, "Start one with make up.");
  }
  const account = network === undefined ? await accountOfWallet(state, payee) : { address: payee, network };
  const units = await fundAccount(description.networks, account.network, account.address, amount);
  const decimals = LOCAL_NETWORKS.find((local) => local.network === account.network)?.decimals ?? 0;
  process.stdout.write(
    `${account.address} gets ${amount} coins on ${account.network}: ${units} units of ${decimals} decimal places\n`,
  );
};

const accountOfWallet = async (state: string, named: string) => {
  const [{ accessOf }, { openGateway }, { findWallet }] = await Promise.all([
    import("../client/access.ts"),
    import("../client/gateway.ts"),
    import("../client/wallets.ts"),
  ]);
  // read from the folder, not from the environment: wallet and faucet must belong to the same cluster
  const { address, network } = await findWallet(openGateway(accessOf(state, {}, "developer")), named);
  if (address === undefined) throw new LaunchError(`${named} has no address`, "Its network has no chain.");
  return { address, network };
};
