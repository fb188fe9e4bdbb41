import { z } from "zod";
import type { FamilyRules } from "../families/rules.ts";
import { familyOf, type Network, type NetworkFamily, networkSchema } from "../network.ts";
import { type Effects, type Movement, moves, NATIVE_ASSET } from "./effects.ts";
import { FIAT_TEXT, fiatNumber, parseFiat } from "./fiat.ts";

const MOST_DECIMALS = 77;
const MOST_PRICES = 10_000;

const amount = z
  .union([z.string().regex(FIAT_TEXT, "is not a decimal number"), z.number()])
  .transform((value, context) => {
    const parsed = parseFiat(value);
    if (parsed !== undefined) return parsed;
    context.addIssue("is not a price");
    return z.NEVER;
  });

/** The part of the family table that prices use. */
interface PricedFamilies {
  find(family: NetworkFamily): Pick<FamilyRules, "nativeAsset" | "spell"> | undefined;
}

const entryOf = (families: PricedFamilies) =>
  z
    .strictObject({
      network: networkSchema,
      asset: z.string().min(1).max(256),
      /** required for tokens: otherwise only the token's contract has it */
      decimals: z.int().min(0).max(MOST_DECIMALS).optional(),
      EUR: amount,
      USD: amount,
    })
    .transform(({ decimals, ...rest }, context) => {
      const family = rest.asset === NATIVE_ASSET ? families.find(familyOf(rest.network)) : undefined;
      const known = decimals ?? family?.nativeAsset(rest.network).decimals;
      if (known !== undefined) return { ...rest, decimals: known };
      context.addIssue("needs the asset's decimals");
      return z.NEVER;
    });

/**
 * The prices that an operator maintains: one entry for each asset of a network, per whole unit, such as one
 * ether or one token.
 */
export const priceListSchema = (families: PricedFamilies) => z.array(entryOf(families)).max(MOST_PRICES);
export type PriceList = z.infer<ReturnType<typeof priceListSchema>>;

interface Price {
  readonly decimals: number;
  /** 10^-18 of the currency for a whole unit */
  readonly EUR: bigint;
  readonly USD: bigint;
}
/** Prices by network and asset. */
export interface Prices {
  find(network: Network, asset: string): Price | undefined;
}

/**
 * Builds the lookup of a price list, with assets in their family's spelling. For two entries of one asset the
 * later one applies.
 */
export const makePrices = (list: PriceList, families: PricedFamilies): Prices => {
  const keyOf = (network: Network, asset: string): string => {
    const family = asset === NATIVE_ASSET ? undefined : families.find(familyOf(network));
    return `${network}/${family?.spell(asset) ?? asset}`;
  };
  const prices = new Map(list.map(({ network, asset, ...price }) => [keyOf(network, asset), price]));
  return { find: (network, asset) => prices.get(keyOf(network, asset)) };
};

/** An empty price list: every rule on amounts triggers. */
export const NO_PRICES: Prices = { find: () => undefined };

/** A value in 10^-18 of each currency, or the reason why it is unknown. */
export type Value =
  | {
      readonly known: true;
      readonly EUR: bigint;
      readonly USD: bigint;
      /** the part of the value that is fees set by the caller, if any */
      readonly fees?: { readonly EUR: bigint; readonly USD: bigint };
    }
  | { readonly known: false; readonly reason: string };

const WORTHLESS: Value = { known: true, EUR: 0n, USD: 0n };

/** The price of a whole unit of an asset by currency, as the API shows it; undefined when unknown. */
export const quotesOf = (
  network: Network,
  asset: string,
  prices: Prices,
): { readonly EUR: number; readonly USD: number } | undefined => {
  const price = prices.find(network, asset);
  return price === undefined ? undefined : { EUR: fiatNumber(price.EUR), USD: fiatNumber(price.USD) };
};

const roundedUp = (units: bigint, price: bigint, decimals: number): bigint => {
  const whole = 10n ** BigInt(decimals);
  return (units * price + whole - 1n) / whole;
};

const worthOfMovement = (movement: Movement, network: Network, prices: Prices): Value => {
  if (movement.amount === "0") return WORTHLESS;
  if (movement.amount === undefined) {
    return { known: false, reason: `what moves of ${movement.asset} has no amount` };
  }
  const price = prices.find(network, movement.asset);
  if (price === undefined) {
    return { known: false, reason: `the price of ${movement.asset} on ${network} is not known` };
  }
  const units = BigInt(movement.amount);
  return {
    known: true,
    EUR: roundedUp(units, price.EUR, price.decimals),
    USD: roundedUp(units, price.USD, price.decimals),
  };
};

const together = (sum: Value, part: Value): Value => {
  if (!sum.known) return sum;
  return part.known ? { known: true, EUR: sum.EUR + part.EUR, USD: sum.USD + part.USD } : part;
};

/**
 * The value of all assets that a request moves, including the largest fees that its caller allows: the
 * block's producer receives them, so they leave the wallet like a payment. Unknown if any part is unknown.
 */
export const worthOf = (effects: Effects, network: Network, prices: Prices): Value => {
  if (effects.unknown !== undefined) return { known: false, reason: effects.unknown };
  const moved = effects.movements
    .map((movement) => worthOfMovement(movement, network, prices))
    .reduce(together, WORTHLESS);
  if (effects.fee === undefined) return moved;
  const fees = worthOf(moves({ asset: NATIVE_ASSET, amount: effects.fee, recipient: "" }), network, prices);
  const whole = together(moved, fees);
  return whole.known && fees.known ? { ...whole, fees: { EUR: fees.EUR, USD: fees.USD } } : whole;
};
