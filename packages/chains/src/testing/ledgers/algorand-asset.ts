import algosdk from "algosdk";
import { algorandAddress } from "../../algorand/rules/address.ts";
import { type TestEdwardsKey, testEdwardsKey } from "../account.ts";
import { ASSET_ID } from "../algorand-samples.ts";
import type { ScriptedLedger } from "./scripted-ledger.ts";

const ISSUER = testEdwardsKey("0d".repeat(32));
const addressOf = ({ publicKey }: TestEdwardsKey): string => algorandAddress(publicKey);

/** Moves units of an asset. Each call resolves once its transaction is in a block. */
export interface AlgorandAssetIssuer {
  /** Makes an account able to hold the asset. */
  optIn(key: TestEdwardsKey): Promise<void>;
  /** Sends units of the asset from the issuer. */
  send(to: string, amount: bigint): Promise<void>;
}

/**
 * Creates the samples' asset by the ledger's first transactions, which determine its id.
 * @returns its issuer, which uses the chain's SDK
 */
export const issueAlgorandAsset = async (
  ledger: Pick<ScriptedLedger, "url" | "fund" | "mine">,
): Promise<AlgorandAssetIssuer> => {
  const client = new algosdk.Algodv2("", ledger.url, new URL(ledger.url).port);
  const suggested = async () => ({ suggestedParams: await client.getTransactionParams().do() });
  const land = async (key: TestEdwardsKey, transaction: algosdk.Transaction): Promise<string> => {
    const signature = key.sign(transaction.bytesToSign());
    if (signature.scheme !== "FROST-Ed25519") throw new TypeError("it is no key of Algorand");
    const signed = transaction.attachSignature(addressOf(key), signature.bytes);
    const { txid } = await client.sendRawTransaction(signed).do();
    await ledger.mine();
    return txid;
  };
  const transfer = async (key: TestEdwardsKey, receiver: string, amount: bigint): Promise<void> => {
    const transaction = algosdk.makeAssetTransferTxnWithSuggestedParamsFromObject({
      sender: addressOf(key),
      receiver,
      amount,
      assetIndex: BigInt(ASSET_ID),
      ...(await suggested()),
    });
    await land(key, transaction);
  };
  await ledger.fund(addressOf(ISSUER), 1_000_000);
  const creation = algosdk.makeAssetCreateTxnWithSuggestedParamsFromObject({
    sender: addressOf(ISSUER),
    total: 2n ** 64n - 1n,
    decimals: 6,
    defaultFrozen: false,
    unitName: "USDC",
    assetName: "USDC",
    ...(await suggested()),
  });
  const { assetIndex } = await client.pendingTransactionInformation(await land(ISSUER, creation)).do();
  if (assetIndex?.toString() !== ASSET_ID)
    throw new Error(`the ledger numbers its first asset ${assetIndex}`);
  return {
    optIn: (key) => transfer(key, addressOf(key), 0n),
    send: (to, amount) => transfer(ISSUER, to, amount),
  };
};
