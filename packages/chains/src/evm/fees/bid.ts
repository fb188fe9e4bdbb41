import { type FeeLevels, ok, type Result } from "@conclave/custody";
import { type GasFees, replacingFees } from "../rules/replacement-fees.ts";
import { highestReplacing } from "./replacing-bound.ts";

/** The limit, in wei a gas, for a replacement that the service makes by itself. */
export type Bid =
  | { readonly kind: "bid"; readonly most: bigint }
  /** @param least the lowest price that nodes accept as a replacement */
  | { readonly kind: "above-cap"; readonly least: bigint };

const NO_MARKET: GasFees = { maxFeePerGas: 0n, maxPriorityFeePerGas: 0n };

const larger = (a: bigint, b: bigint): bigint => (a > b ? a : b);
const smaller = (a: bigint, b: bigint): bigint => (a < b ? a : b);

/**
 * Bounds the price of a replacement that the service makes by itself: a speed-up's price, or the market's if that is higher; at
 * most the cap. Within it, the builder bids the lowest price that nodes accept, or the market's.
 * @param earlier fees of the waiting transaction
 * @param cap wei a gas
 * @param market fees of the same moment
 */
export const bidFor = (earlier: GasFees, cap: bigint, market: FeeLevels): Result<Bid> => {
  const raised = replacingFees(earlier, {}, NO_MARKET);
  if (!raised.ok) return raised;
  const least = raised.value.maxFeePerGas;
  if (least > cap) return ok({ kind: "above-cap", least });
  const asked = market.kind === "Eip1559" ? BigInt(market.standard.maxFeePerGas) : 0n;
  const most = larger(highestReplacing(earlier.maxFeePerGas), larger(least, asked));
  return ok({ kind: "bid", most: smaller(cap, most) });
};
