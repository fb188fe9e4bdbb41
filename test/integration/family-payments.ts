import type { Cluster } from "@conclave/testbed";
import { type AnyWallet, FAMILY_DRIVERS, type KindOfTransfer, makeWallet } from "@conclave/testbed/families";
import { getAddress } from "viem";
import { freshReceiver } from "./funded-wallet.ts";

/** of the development chain */
const EVM = "EthereumSepolia";
const COINS = "1000";

/** A network of each family: the development chain, and those of the simulated ledgers. */
export const FAMILY_NETWORKS: readonly string[] = [EVM, ...FAMILY_DRIVERS.map(({ network }) => network)];

/** A wallet of one family whose every payment goes to a new address. */
export interface FamilyPayer {
  readonly network: string;
  readonly wallet: AnyWallet;
  /** @param times multiples of the least amount that a new receiver can be sent */
  readonly native: (times: bigint) => KindOfTransfer;
  /** An address's balance of native coins by the node, in the smallest unit. */
  readonly balance: (address: string) => Promise<bigint>;
}

const payEther = (times: bigint): KindOfTransfer => {
  const [to, amount] = [freshReceiver(), 1_000n * times];
  const body = { kind: "Native", to, amount: amount.toString() };
  return { kind: "Native", body, expected: { recipient: to, amount, token: undefined } };
};

/** Makes a funded wallet of each family, and one confirmed payment from each. @param cluster serves FAMILY_NETWORKS */
export const makePayers = (cluster: Cluster): Promise<readonly FamilyPayer[]> => {
  const makePayer = async (
    network: string,
    parts: (wallet: AnyWallet) => Pick<FamilyPayer, "native" | "balance">,
  ): Promise<FamilyPayer> => {
    const wallet = await makeWallet(cluster, network, COINS);
    const payer = { network, wallet, ...parts(wallet) };
    await wallet.confirmed(payer.native(2n).body);
    return payer;
  };
  return Promise.all([
    makePayer(EVM, () => ({
      native: payEther,
      balance: (address) => cluster.chain.client.getBalance({ address: getAddress(address) }),
    })),
    ...FAMILY_DRIVERS.map((driver) =>
      makePayer(driver.network, ({ urls }) => ({
        native: (times) => driver.native(times * driver.least),
        balance: (address) => driver.balance(urls, address),
      })),
    ),
  ]);
};
