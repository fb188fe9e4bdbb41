import { walletIdSchema } from "@conclave/custody";
import { LaunchError } from "@conclave/testbed/launch";
import { z } from "zod";
import { coinsOf } from "./coins.ts";
import type { AskGateway } from "./gateway.ts";
import { readAll } from "./pages.ts";
import { note, printList, printOne, type Shown } from "./print.ts";

export const listedWalletSchema = z.looseObject({
  id: z.string(),
  network: z.string(),
  status: z.string(),
  name: z.string().optional(),
  address: z.string().optional(),
  signingKey: z.looseObject({ id: z.string(), scheme: z.string(), curve: z.string() }),
  dateCreated: z.string(),
});
export type ListedWallet = z.infer<typeof listedWalletSchema>;

const assetSchema = z.looseObject({
  kind: z.string(),
  symbol: z.string().optional(),
  decimals: z.int(),
  balance: z.string(),
});
/** A wallet's balance in one asset. Other fields, such as `contract`, name the asset. */
export type HeldAsset = z.infer<typeof assetSchema>;

/** The wallet of an id, or all wallets for which a test of their name and address holds. */
const walletsBy = async (
  ask: AskGateway,
  named: string,
  isIt: (wallet: ListedWallet) => boolean,
): Promise<readonly ListedWallet[]> =>
  walletIdSchema.safeParse(named).success
    ? [await ask(listedWalletSchema, "GET", `/wallets/${named}`)]
    : (await readAll(ask, listedWalletSchema, "/wallets")).filter(isIt);

/** @param named the wallet's id, or its name if no other wallet has the same */
export const findWallet = async (ask: AskGateway, named: string): Promise<ListedWallet> => {
  const found = await walletsBy(ask, named, ({ name }) => name === named);
  const [wallet] = found;
  if (wallet !== undefined && found.length === 1) return wallet;
  throw new LaunchError(
    `${found.length === 0 ? "no wallet has" : `${found.length} wallets have`} the name ${named}`,
    "`conclave wallet list` shows names and ids.",
  );
};

/** Characters of the shortest address of any network: a text that is so long is an address, whatever wallets are called. */
const ADDRESS_LENGTH = 25;
export const isAddressLike = (named: string): boolean =>
  !walletIdSchema.safeParse(named).success && named.length >= ADDRESS_LENGTH;

/** The wallet of an id; else those that have the text for their name or, where it can be one, for their address in any spelling. */
export const walletsCalled = async (ask: AskGateway, named: string): Promise<readonly ListedWallet[]> => {
  if (!isAddressLike(named)) return walletsBy(ask, named, ({ name }) => name === named);
  const { FAMILIES } = await import("@conclave/chains");
  return walletsBy(ask, named, ({ network, address }) => {
    if (address === undefined) return false;
    const { spell } = FAMILIES.familyOf(network);
    return spell(address) === spell(named);
  });
};

/**
 * The address that a payment goes to.
 * @param named an address, or the id or the name of a wallet on the network
 * @throws LaunchError for a text that is neither, or that several of its wallets are called
 */
export const payeeAddress = async (ask: AskGateway, named: string, network: string): Promise<string> => {
  if (isAddressLike(named)) return named;
  const found = await walletsBy(ask, named, ({ name }) => name === named);
  const there = found.filter((wallet) => wallet.network === network);
  const [wallet] = there;
  if (wallet?.address !== undefined && there.length === 1) {
    note(`${named} is ${wallet.address}`);
    return wallet.address;
  }
  throw new LaunchError(
    there.length > 1
      ? `${there.length} wallets on ${network} have the name ${named}`
      : `${named} is no address, and no wallet on ${network} is called so`,
    "`conclave wallet list` shows names, networks and addresses.",
  );
};

export const heldAssets = async (ask: AskGateway, { id }: ListedWallet): Promise<readonly HeldAsset[]> =>
  (await ask(z.looseObject({ assets: z.array(assetSchema) }), "GET", `/wallets/${id}/assets`)).assets;

/** `conclave wallet create` */
export const askForWallet = async (
  ask: AskGateway,
  { network, name, ...shown }: Shown & { readonly network: string; readonly name?: string },
): Promise<void> => printWallet(shown, await ask(listedWalletSchema, "POST", "/wallets", { network, name }));

/** `conclave wallet list` */
export const printWallets = async (ask: AskGateway, shown: Shown): Promise<void> => {
  const wallets = await readAll(ask, listedWalletSchema, "/wallets");
  printList(
    shown,
    wallets,
    ["id", "network", "name", "status", "address"],
    ({ id, network, name, status, address }) => [id, network, name ?? "", status, address ?? ""],
    "no wallet yet: `conclave wallet create --network EthereumSepolia` makes one",
  );
};

/** `conclave wallet show`: a wallet, and what it holds. */
export const showWallet = async (ask: AskGateway, named: string, shown: Shown): Promise<void> => {
  const wallet = await findWallet(ask, named);
  const assets = wallet.address === undefined ? [] : await heldAssets(ask, wallet);
  if (shown.json) {
    process.stdout.write(`${JSON.stringify({ ...wallet, assets }, undefined, 2)}\n`);
    return;
  }
  printWallet(shown, wallet);
  process.stdout.write("\n");
  printAssets(shown, assets);
};

/** Prints what somebody holds, in whole coins and tokens. */
export const printAssets = (shown: Shown, assets: readonly HeldAsset[]): void =>
  printList(
    shown,
    assets,
    ["asset", "kind", "balance"],
    ({ symbol, kind, balance, decimals }) => [symbol ?? "", kind, coinsOf(balance, decimals)],
    "it holds nothing",
  );

const printWallet = (shown: Shown, wallet: ListedWallet): void => {
  const { id, network, name, status, address, signingKey, dateCreated } = wallet;
  const key = `${signingKey.id}  ${signingKey.scheme} on ${signingKey.curve}`;
  printOne(shown, wallet, { wallet: id, name, network, address, status, key, created: dateCreated });
};
