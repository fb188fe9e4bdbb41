import type { Asset } from "@conclave/custody";

/** One lumen is ten million stroops; every asset of Stellar's own ledger is divided in the same way. */
export const STELLAR_DECIMALS = 7;

export const STELLAR_NATIVE_ASSET: Asset = { symbol: "XLM", decimals: STELLAR_DECIMALS, verified: true };
