import { LaunchError } from "@conclave/testbed/launch";
import { accessOf } from "../../client/access.ts";
import { openGateway } from "../../client/gateway.ts";
import { printOne, type Shown } from "../../client/print.ts";
import { printAssets } from "../../client/wallets.ts";
import { runningDescription } from "../../running-description.ts";
import { type Balance, balanceOfWallet } from "./wallet-balance.ts";

export interface BalanceAsked extends Shown {
  /** undefined where one wallet alone is called so */
  readonly network?: string;
}

/**
 * `conclave balance`: what a wallet holds, as the gateway says, or else an address, as the cluster's local node of the network says.
 * @param state the cluster's state folder. The environment names no other: wallets and nodes must belong to the same cluster
 * @param holder a wallet's id, name or address, or any address of a local network
 * @throws LaunchError when nothing is called so, or several wallets are; or the gateway or the node does not answer
 */
export const balance = async (state: string, holder: string, asked: BalanceAsked): Promise<void> => {
  runningDescription(state);
  const ask = openGateway(accessOf(state, {}, "developer"));
  const found =
    (await balanceOfWallet(ask, holder, asked.network)) ??
    (await balanceOfAddress(state, holder, asked.network));
  const { wallet, network, address, assets } = found;
  if (asked.json) {
    process.stdout.write(`${JSON.stringify(found, undefined, 2)}\n`);
    return;
  }
  printOne(asked, found, { wallet: wallet?.id, name: wallet?.name, network, address });
  process.stdout.write("\n");
  printAssets(asked, assets);
};

const balanceOfAddress = async (
  state: string,
  address: string,
  network: string | undefined,
): Promise<Balance> => {
  if (network !== undefined) {
    // loads the nodes of all families
    const { addressHoldings } = await import("./address-holdings.ts");
    return { network, address, assets: await addressHoldings(state, network, address) };
  }
  throw new LaunchError(
    `no wallet has the address ${address}`,
    "Say by --network on which local network it is, such as --network Polygon: then its node is asked.",
  );
};
