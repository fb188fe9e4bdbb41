import type { FeeLevels } from "@conclave/custody";
import type { Gatherable } from "../chain.ts";
import { LEFT_TO_PAYMENTS } from "./coins/candidates.ts";
import { worthSpending } from "./coins/choose.ts";
import type { Unspent } from "./coins/coin.ts";
import { feeOf, rateShown, shownRate } from "./coins/fees.ts";
import { inputsMax } from "./coins/limits.ts";
import { virtualSize } from "./coins/size.ts";

/**
 * Satoshis a thousand virtual bytes: at this rate and below coins are gathered for the future (Bitcoin Core's `-consolidatefeerate`,
 * DEFAULT_CONSOLIDATE_FEERATE in wallet/wallet.h).
 */
const QUIET_RATE = 10_000n;

/** Fewer coins are no gathering. */
const LEAST_GATHERED = 2;

/** Whether a transaction that wants to land within some blocks costs so little that coins are worth gathering. */
export const isQuiet = (market: FeeLevels): boolean =>
  market.kind === "Bitcoin" && rateShown(market.standard.feeRate) <= QUIET_RATE;

/**
 * @param own the script of the coins
 * @param unspent final coins of the wallet; those that cost more than they hold at the quiet rate do not count, so that dust asks for nothing
 * @returns a body that gathers them but for the largest, or as many as one transaction spends, for what that costs at the quiet rate at
 *   the most. It names the rate, too: signers hold a gathering of fewer coins to its share
 */
export const gatherable = (own: Uint8Array, unspent: readonly Pick<Unspent, "amount">[]): Gatherable => {
  const feeFor = (vbytes: bigint): bigint => feeOf(QUIET_RATE, vbytes);
  const coins = worthSpending({ own, feeFor }, unspent).length;
  const spare = Math.min(Math.max(coins - LEFT_TO_PAYMENTS, LEAST_GATHERED), inputsMax(own));
  const maxFee = feeFor(virtualSize(spare, own, [own]));
  const body = { kind: "Consolidate", maxFee: maxFee.toString(), maxFeeRate: shownRate(QUIET_RATE) } as const;
  return { coins, body };
};
