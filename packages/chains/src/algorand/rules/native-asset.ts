import type { Asset } from "@conclave/custody";

/** One ALGO is a million microalgos. */
export const ALGORAND_NATIVE_DECIMALS = 6;

export const ALGORAND_NATIVE_ASSET: Asset = {
  symbol: "ALGO",
  decimals: ALGORAND_NATIVE_DECIMALS,
  verified: true,
};
