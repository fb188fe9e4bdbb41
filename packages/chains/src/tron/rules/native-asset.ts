import type { Asset } from "@conclave/custody";

/** One TRX is a million sun. */
export const TRON_NATIVE_DECIMALS = 6;

export const TRON_NATIVE_ASSET: Asset = { symbol: "TRX", decimals: TRON_NATIVE_DECIMALS, verified: true };
