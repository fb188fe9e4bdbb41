import type { Asset } from "@conclave/custody";

/** One SOL is a thousand million lamports. */
export const SOLANA_NATIVE_DECIMALS = 9;

export const SOLANA_NATIVE_ASSET: Asset = {
  symbol: "SOL",
  decimals: SOLANA_NATIVE_DECIMALS,
  verified: true,
};
