import type { Asset } from "@conclave/custody";

/** A lumen is ten million stroops; every asset of Stellar's own ledger has as many decimals. */
export const STELLAR_DECIMALS = 7;

export const STELLAR_NATIVE_ASSET: Asset = { symbol: "XLM", decimals: STELLAR_DECIMALS, verified: true };
