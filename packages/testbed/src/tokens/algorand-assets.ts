import { ed25519 } from "@noble/curves/ed25519.js";
import algosdk from "algosdk";
import { LaunchError } from "../launch-error.ts";
import type { NodeUrls } from "../networks/local-network.ts";
import { makeBlocks } from "./make-blocks.ts";
import type { TokenFactory } from "./token-factory.ts";

const ROUNDS_MAX = 20;

export const algodClient = ({ url }: NodeUrls): algosdk.Algodv2 =>
  new algosdk.Algodv2("", url, new URL(url).port);

const makerAccount = (makerKey: Uint8Array): algosdk.Account => {
  const publicKey = ed25519.getPublicKey(makerKey);
  return { addr: new algosdk.Address(publicKey), sk: Uint8Array.from([...makerKey, ...publicKey]) };
};

/** Sends a transaction from outside the cluster, and waits until a block holds it. */
export const landOnAlgorand = async (urls: NodeUrls, signed: Uint8Array) => {
  const client = algodClient(urls);
  const { txid } = await client.sendRawTransaction(signed).do();
  await makeBlocks(urls, 1);
  return algosdk.waitForConfirmation(client, txid, ROUNDS_MAX);
};

/** Signs a transfer of an asset. */
export const assetTransferOf = async (
  urls: NodeUrls,
  from: algosdk.Account,
  to: string | algosdk.Address,
  assetIndex: bigint,
  amount: number | bigint,
): Promise<Uint8Array> =>
  algosdk
    .makeAssetTransferTxnWithSuggestedParamsFromObject({
      sender: from.addr,
      receiver: to,
      assetIndex,
      amount,
      suggestedParams: await algodClient(urls).getTransactionParams().do(),
    })
    .signTxn(from.sk);

/** Creates an asset whose whole supply goes to its creator. @returns its number */
export const createAsset = async (
  urls: NodeUrls,
  creator: algosdk.Account,
  terms: {
    readonly symbol: string;
    readonly name?: string;
    readonly decimals: number;
    readonly supply: bigint;
  },
): Promise<bigint> => {
  const creation = algosdk.makeAssetCreateTxnWithSuggestedParamsFromObject({
    sender: creator.addr,
    total: terms.supply,
    decimals: terms.decimals,
    defaultFrozen: false,
    unitName: terms.symbol,
    ...(terms.name === undefined ? {} : { assetName: terms.name }),
    suggestedParams: await algodClient(urls).getTransactionParams().do(),
  });
  const { assetIndex } = await landOnAlgorand(urls, creation.signTxn(creator.sk));
  if (assetIndex === undefined) throw new Error("no asset was made");
  return assetIndex;
};

/** How much of an asset an account holds; undefined if it has not opted in. */
const holding = async (urls: NodeUrls, account: string, asset: string): Promise<bigint | undefined> => {
  const { assets = [] } = await algodClient(urls).accountInformation(account).do();
  return assets.find(({ assetId }) => String(assetId) === asset)?.amount;
};

export const ASA_FACTORY: TokenFactory = {
  makerOf: async (makerKey) => makerAccount(makerKey).addr.toString(),
  create: async ({ urls, makerKey }, terms) => String(await createAsset(urls, makerAccount(makerKey), terms)),
  isThere: async ({ urls, id }) => {
    try {
      await algodClient(urls).getAssetByID(BigInt(id)).do();
      return true;
    } catch {
      return false;
    }
  },
  left: async ({ urls, makerKey, id }) => holding(urls, makerAccount(makerKey).addr.toString(), id),
  give: async ({ urls, makerKey, id }, to, units) => {
    if (!algosdk.isValidAddress(to)) {
      throw new LaunchError(`${to} is no Algorand address`, "Give the address of the wallet: 58 characters.");
    }
    if ((await holding(urls, to, id)) === undefined) {
      throw new LaunchError(
        `${to} has not opted in to the asset ${id}`,
        "Have its wallet send itself 0 of the asset, by a `Transaction` (docs/api, transactions), and run the command again.",
      );
    }
    await landOnAlgorand(urls, await assetTransferOf(urls, makerAccount(makerKey), to, BigInt(id), units));
    return [];
  },
};
