import type { AskGateway } from "./gateway.ts";
import { readAll } from "./pages.ts";
import { heldAssets, type ListedWallet, listedWalletSchema } from "./wallets.ts";

/** A wallet that a start of a development cluster made, or found from an earlier start. */
export interface ExampleWallet {
  readonly name: string;
  readonly id: string;
  readonly address: string;
}

/**
 * Makes the wallets wallet-1, wallet-2 and so on of a network, unless they exist, and funds those that hold no coins.
 * @param count how many
 * @param fund pays an address of the network
 */
export const exampleWallets = async (
  ask: AskGateway,
  { network, count }: { readonly network: string; readonly count: number },
  fund: (address: string) => Promise<unknown>,
): Promise<readonly ExampleWallet[]> => {
  if (count === 0) return [];
  const known = await readAll(ask, listedWalletSchema, "/wallets");
  const wallets: ExampleWallet[] = [];
  for (let number = 1; number <= count; number += 1) {
    const name = `wallet-${number}`;
    const found = known.find((wallet) => wallet.name === name && wallet.network === network);
    const wallet = found ?? (await ask(listedWalletSchema, "POST", "/wallets", { network, name }));
    const { id, address } = wallet;
    if (address === undefined) continue;
    if (await isEmpty(ask, wallet)) await fund(address);
    wallets.push({ name, id, address });
  }
  return wallets;
};

const isEmpty = async (ask: AskGateway, wallet: ListedWallet): Promise<boolean> => {
  const assets = await heldAssets(ask, wallet);
  return assets.every(({ kind, balance }) => kind !== "Native" || balance === "0");
};
