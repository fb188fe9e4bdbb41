import { sha256 } from "@noble/hashes/sha2.js";
import { bytesOfAddress, type HorizonContract, horizonContract, parseHorizonAddress } from "../address.ts";
import { type HorizonBooks, stellarEntryIn, withStellarEntry } from "../books.ts";
import { assetCodeOf, creditOf } from "../operations/asset-code.ts";
import type { HorizonAsset } from "../xdr/asset.ts";
import { encodeXdr } from "../xdr/codec.ts";
import type { HorizonValue } from "../xdr/contract-value.ts";
import type { HorizonEntryData } from "../xdr/ledger-entry.ts";
import type { HorizonKey } from "../xdr/ledger-key.ts";
import { xdrContractIdPreimage } from "../xdr/preimage.ts";
import { accountValue, mapValue, stringValue, symbolValue, valueNamed, vecValue } from "./value.ts";

export const PERSISTENT = 1;
const DECIMALS = 7;

/** The contract id of an asset on a network. @source CAP-46-6; stellar-xdr, HashIDPreimage */
export const contractOfAsset = (asset: HorizonAsset, networkId: Uint8Array): HorizonContract =>
  horizonContract(sha256(encodeXdr(xdrContractIdPreimage, { networkId, asset })));

/** An asset's name in contract events: "native", or code and issuer. */
export const assetName = (asset: HorizonAsset): string =>
  asset.type === "native" ? "native" : `${assetCodeOf(asset)}:${asset.value.issuer}`;

const INSTANCE: HorizonValue = { type: "instanceKey", value: undefined };

/** The key of a contract's instance entry. */
export const instanceKey = (contract: HorizonContract): HorizonKey => ({
  type: "contractData",
  value: { contract: { type: "contract", value: contract }, key: INSTANCE, durability: PERSISTENT },
});

/** The metadata of an asset in its contract's storage. @source rs-soroban-env, builtin_contracts/stellar_asset_contract */
const storageOf = (asset: HorizonAsset) => {
  const symbol = asset.type === "native" ? "native" : assetCodeOf(asset);
  const metadata = mapValue(
    ["decimal", { type: "u32", value: DECIMALS }],
    ["name", stringValue(assetName(asset))],
    ["symbol", stringValue(symbol)],
  );
  const about = { key: symbolValue("METADATA"), val: metadata };
  if (asset.type === "native") {
    return [about, { key: vecValue(symbolValue("AssetInfo")), val: vecValue(symbolValue("Native")) }];
  }
  const kind = asset.type === "short" ? "AlphaNum4" : "AlphaNum12";
  const info = mapValue(
    ["asset_code", stringValue(symbol)],
    ["issuer", { type: "bytes", value: bytesOfAddress(asset.value.issuer) }],
  );
  return [
    about,
    { key: vecValue(symbolValue("Admin")), val: accountValue(asset.value.issuer) },
    { key: vecValue(symbolValue("AssetInfo")), val: vecValue(symbolValue(kind), info) },
  ];
};

/** Deploys the contract of an asset, unless it exists. On a real network somebody deploys it with a transaction. */
export const withAssetContract = (
  books: HorizonBooks,
  asset: HorizonAsset,
  networkId: Uint8Array,
): HorizonBooks => {
  const contract = contractOfAsset(asset, networkId);
  if (stellarEntryIn(books, instanceKey(contract)) !== undefined) return books;
  const executable = { type: "stellarAsset" as const, value: undefined };
  return withStellarEntry(books, {
    type: "contractData",
    value: {
      extension: undefined,
      contract: { type: "contract", value: contract },
      key: INSTANCE,
      durability: PERSISTENT,
      value: { type: "instance", value: { executable, storage: storageOf(asset) } },
    },
  });
};

/** The asset of a contract instance entry; undefined for other entries. */
export const assetInInstance = (data: HorizonEntryData | undefined): HorizonAsset | undefined => {
  if (data?.type !== "contractData" || data.value.value.type !== "instance") return undefined;
  const about = data.value.value.value.storage?.[0]?.val;
  const name = about === undefined ? undefined : valueNamed(about, "name");
  if (name?.type !== "string") return undefined;
  const [code = "", issuer = ""] = new TextDecoder().decode(name.value).split(":");
  const address = parseHorizonAddress(issuer);
  return address === undefined ? { type: "native", value: undefined } : creditOf(code, address);
};
