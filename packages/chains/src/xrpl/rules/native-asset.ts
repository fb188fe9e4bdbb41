import type { Asset } from "@conclave/custody";

/** One XRP is a million drops. */
export const XRPL_NATIVE_DECIMALS = 6;

/** All drops that ever existed: a hundred thousand million XRP (rippled, `INITIAL_XRP`). */
export const DROPS_MAX: bigint = 10n ** 17n;

export const XRPL_NATIVE_ASSET: Asset = { symbol: "XRP", decimals: XRPL_NATIVE_DECIMALS, verified: true };
