import { fundAccount, LaunchError, LOCAL_NETWORKS } from "@conclave/testbed";
import { stateLayout } from "@conclave/testbed/launch";
import { runningDescription } from "../running-description.ts";

const USUAL_COINS = "10";

/** A payment of the faucet, as a person orders it. */
export interface FundOptions {
  /** of the address; undefined for a wallet, which has a network of its own */
  readonly network?: string;
  /** in whole coins or tokens; by default ten, or one collectible */
  readonly amount?: string;
  /** a token that `conclave token create` has made; by default the network's own coin */
  readonly token?: string;
}

/**
 * `conclave fund`: pays an address, or a wallet's address, out of the faucet of a local network.
 * @param state the cluster's state folder
 * @param payee an address, or a wallet's id or name
 * @throws LaunchError when no cluster runs there, the network has no local node, or the node refuses
 */
export const fund = async (state: string, payee: string, options: FundOptions): Promise<void> => {
  const { networks } = runningDescription(state);
  const { network } = options;
  const account = network === undefined ? await accountOfWallet(state, payee) : { address: payee, network };
  if (options.token !== undefined) return fundTokens(state, account, options.token, options.amount);
  const amount = options.amount ?? USUAL_COINS;
  const units = await fundAccount(networks, account.network, account.address, amount);
  const decimals = LOCAL_NETWORKS.find((local) => local.network === account.network)?.decimals ?? 0;
  process.stdout.write(
    `${account.address} gets ${amount} coins on ${account.network}: ${units} units of ${decimals} decimal places\n`,
  );
};

interface Account {
  readonly address: string;
  readonly network: string;
}

const fundTokens = async (
  state: string,
  { address, network }: Account,
  token: string,
  amount: string | undefined,
): Promise<void> => {
  const { giveToken } = await import("@conclave/testbed/tokens");
  const { networks } = runningDescription(state);
  const paid = await giveToken(networks, stateLayout(state).tokens, { network, token, to: address, amount });
  const { symbol, id } = paid.token;
  const what =
    paid.collectibles.length === 0
      ? `${paid.amount} ${symbol}`
      : `${symbol} ${paid.collectibles.map((name) => `#${name}`).join(", ")}`;
  process.stdout.write(`${address} gets ${what} on ${network}, of the token ${id}\n`);
};

const accountOfWallet = async (state: string, named: string): Promise<Account> => {
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
