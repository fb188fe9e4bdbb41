import { z } from "zod";
import type { FamilyRules } from "../families/rules.ts";
import { heldFields } from "../families/view-fields.ts";
import { HELD_TOKEN_SCHEMAS } from "../families/views.ts";
import type { Asset, Network } from "../network.ts";
import { NATIVE_ASSET } from "../policies/effects.ts";
import { type Prices, quotesOf } from "../policies/prices.ts";

/** The largest number of tokens in a list of a wallet's holdings: each needs a query to a node. */
export const MOST_TOKENS_SHOWN = 25;

/** An asset that a wallet holds (wire interface, section F.8). */
export const heldAssetViewSchema = z.discriminatedUnion("kind", [
  z.object({ kind: z.literal("Native"), ...heldFields }),
  ...HELD_TOKEN_SCHEMAS,
]);
export type HeldAssetView = z.infer<typeof heldAssetViewSchema>;

/** The balance of an asset. */
export interface Holding {
  /** undefined for the native coin */
  readonly token: string | undefined;
  readonly asset: Asset;
  readonly balance: bigint;
}

/** Shows a wallet's balance of one asset, with its price if known. */
export const heldAssetView = (
  family: Pick<FamilyRules, "showToken" | "nativeAsset" | "nativeDecimals">,
  network: Network,
  { token, asset, balance }: Holding,
  prices: Prices,
): HeldAssetView => {
  const shown = token === undefined ? family.nativeAsset(network) : asset;
  const quotes = quotesOf(network, token ?? NATIVE_ASSET, prices);
  return {
    ...(token === undefined ? ({ kind: "Native" } as const) : family.showToken(token)),
    ...(shown.symbol === undefined ? {} : { symbol: shown.symbol }),
    decimals: shown.decimals ?? (token === undefined ? family.nativeDecimals : 0),
    ...(shown.verified === undefined ? {} : { verified: shown.verified }),
    balance: balance.toString(),
    ...(quotes === undefined ? {} : { quotes }),
  };
};

/** The value of all assets with a known price, by currency: approximate, for display only. */
export const netWorthOf = (assets: readonly HeldAssetView[]): Readonly<Record<string, number>> => {
  const worth: Record<string, number> = {};
  for (const { quotes, balance, decimals } of assets) {
    for (const [currency, price] of Object.entries(quotes ?? {})) {
      worth[currency] = (worth[currency] ?? 0) + (Number(balance) / 10 ** decimals) * price;
    }
  }
  return worth;
};
