import type { FeeLevels } from "@conclave/custody";
import type { Gatherable } from "../chain.ts";
import { LEFT_TO_PAYMENTS } from "./coins/candidates.ts";
import { worthSpending } from "./coins/choose.ts";
import type { Unspent } from "./coins/coin.ts";
import { feeOf, rateShown, shownRate } from "./coins/fees.ts";
import { inputsMax } from "./coins/limits.ts";
import { virtualSize } from "./coins/size.ts";

/**
 * Satoshis per thousand virtual bytes. At or below this rate, consolidating coins for later is worthwhile (Bitcoin Core's
 * `-consolidatefeerate`, DEFAULT_CONSOLIDATE_FEERATE in wallet/wallet.h).
 */
const QUIET_RATE = 10_000n;

/** Gathering needs at least two coins. */
const LEAST_GATHERED = 2;

/** Whether the standard priority costs so little that coins are worth gathering. */
export const isQuiet = (market: FeeLevels): boolean =>
  market.kind === "Bitcoin" && rateShown(market.standard.feeRate) <= QUIET_RATE;

/**
 * @param own the script of the coins
 * @param unspent final coins of the wallet; those that cost more than they hold at the quiet rate do not count, so that dust
 * starts no gathering
 * @returns how many coins are worth spending, and the body of a request that gathers all but the largest, up to the limit of
 * one transaction. The body bounds the fee, and also the rate, so that signers bound the fee of a smaller gathering in
 * proportion
 */
export const gatherable = (own: Uint8Array, unspent: readonly Pick<Unspent, "amount">[]): Gatherable => {
  const feeFor = (vbytes: bigint): bigint => feeOf(QUIET_RATE, vbytes);
  const coins = worthSpending({ own, feeFor }, unspent).length;
  const spare = Math.min(Math.max(coins - LEFT_TO_PAYMENTS, LEAST_GATHERED), inputsMax(own));
  const maxFee = feeFor(virtualSize(spare, own, [own]));
  const body = { kind: "Consolidate", maxFee: maxFee.toString(), maxFeeRate: shownRate(QUIET_RATE) } as const;
  return { coins, body };
};
