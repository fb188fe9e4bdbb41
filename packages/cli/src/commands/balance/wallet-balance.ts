import { LaunchError } from "@conclave/testbed/launch";
import type { AskGateway } from "../../client/gateway.ts";
import { type HeldAsset, heldAssets, isAddressLike, walletsCalled } from "../../client/wallets.ts";

/** The holdings of a wallet or an address on a network. */
export interface Balance {
  /** undefined for an address that is none of the organisation's wallets */
  readonly wallet?: { readonly id: string; readonly name?: string | undefined };
  readonly network: string;
  /** undefined on a network without a chain */
  readonly address: string | undefined;
  readonly assets: readonly HeldAsset[];
}

/**
 * Asks the gateway for the holdings of a wallet.
 * @param holder the wallet's id, name or address
 * @param network where it is; undefined if one wallet alone is called so
 * @returns undefined where the text is the address of no wallet there. Rejects with a LaunchError when it can be no address, and no wallet
 * or several are called so
 */
export const balanceOfWallet = async (
  ask: AskGateway,
  holder: string,
  network: string | undefined,
): Promise<Balance | undefined> => {
  const found = await walletsCalled(ask, holder);
  const there = found.filter((one) => network === undefined || one.network === network);
  const [wallet] = there;
  if (wallet !== undefined && there.length === 1) {
    const { id, name, address } = wallet;
    const assets = address === undefined ? [] : await heldAssets(ask, wallet);
    return { wallet: { id, name }, network: wallet.network, address, assets };
  }
  const lists = "`conclave wallet list` shows ids, names, networks and addresses.";
  if (there.length > 1) {
    const networks = [...new Set(there.map((one) => one.network))];
    throw new LaunchError(
      `${there.length} wallets are called ${holder}, on ${networks.join(", ")}`,
      networks.length > 1 ? `Say which by --network. ${lists}` : `Name one by its id. ${lists}`,
    );
  }
  if (isAddressLike(holder)) return undefined;
  const where = network === undefined ? "" : ` on ${network}`;
  throw new LaunchError(`${holder} is no address, and no wallet${where} is called so`, lists);
};
