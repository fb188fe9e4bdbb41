import { xdrAccountId } from "./account.ts";
import { type XdrValue, xdrFixed, xdrNotSimulated, xdrStruct, xdrUnion, xdrVoid } from "./codec.ts";

const xdrShortCode = xdrFixed(4);
const xdrLongCode = xdrFixed(12);
const CREDITS = {
  short: [1, xdrStruct({ code: xdrShortCode, issuer: xdrAccountId })],
  long: [2, xdrStruct({ code: xdrLongCode, issuer: xdrAccountId })],
} as const;

export const xdrAsset = xdrUnion("asset", { native: [0, xdrVoid], ...CREDITS });

/** Lumens, or what an account issues under a code of 1 to 4, or of 5 to 12 characters. */
export type HorizonAsset = XdrValue<typeof xdrAsset>;
export type HorizonCredit = Exclude<HorizonAsset, { readonly type: "native" }>;

/** An asset that can be trusted; a share of a liquidity pool cannot be here. */
export const xdrTrustLineAsset = xdrUnion("asset of a trustline", {
  native: [0, xdrVoid],
  ...CREDITS,
  pool: [3, xdrNotSimulated("shares of liquidity pools")],
});

export const xdrAssetCode = xdrUnion("asset code", { short: [1, xdrShortCode], long: [2, xdrLongCode] });
