import { xdrAccountId } from "./account.ts";
import { type XdrValue, xdrBytes, xdrStruct, xdrUnion } from "./codec.ts";
import { xdr } from "./sdk.ts";

const ASSETS = {
  native: "assetTypeNative",
  short: [
    "assetTypeCreditAlphanum4",
    xdrStruct(xdr.AlphaNum4, { code: ["assetCode", xdrBytes], issuer: xdrAccountId }),
  ],
  long: [
    "assetTypeCreditAlphanum12",
    xdrStruct(xdr.AlphaNum12, { code: ["assetCode", xdrBytes], issuer: xdrAccountId }),
  ],
} as const;

export const xdrAsset = xdrUnion(xdr.Asset, ASSETS);

/** Lumens, or an asset that an account issues under a code of 1 to 4, or of 5 to 12 characters. */
export type HorizonAsset = XdrValue<typeof xdrAsset>;
export type HorizonCredit = Exclude<HorizonAsset, { readonly type: "native" }>;

/** Assets that trustlines can hold; liquidity pool shares are refused. */
export const xdrTrustLineAsset = xdrUnion(xdr.TrustLineAsset, ASSETS);
export const xdrChangeTrustAsset = xdrUnion(xdr.ChangeTrustAsset, ASSETS);

export const xdrAssetCode = xdrUnion(xdr.AssetCode, {
  short: ["assetTypeCreditAlphanum4", xdrBytes],
  long: ["assetTypeCreditAlphanum12", xdrBytes],
});
