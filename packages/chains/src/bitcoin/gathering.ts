import type { FeeLevels } from "@conclave/custody";
import type { Gatherable } from "../chain.ts";
import { worthSpending } from "./coins/choose.ts";
import type { Unspent } from "./coins/coin.ts";
import { feeOf, rateShown } from "./coins/fees.ts";
import { inputsMax } from "./coins/limits.ts";
import { virtualSize } from "./coins/size.ts";

/**
 * Satoshis a thousand virtual bytes: at this rate and below coins are gathered for the future (Bitcoin Core's `-consolidatefeerate`,
 * DEFAULT_CONSOLIDATE_FEERATE in wallet/wallet.h).
 */
const QUIET_RATE = 10_000n;

/** Whether a transaction that wants to land within some blocks costs so little that coins are worth gathering. */
export const isQuiet = (market: FeeLevels): boolean =>
  market.kind === "Bitcoin" && rateShown(market.standard.feeRate) <= QUIET_RATE;

/**
 * @param own the script of the coins
 * @param unspent all coins of the wallet; those that cost more than they hold at the quiet rate do not count, so that dust asks for nothing
 * @returns a body that gathers them, or as many as one transaction spends, for what that costs at the quiet rate at the most
 */
export const gatherable = (own: Uint8Array, unspent: readonly Pick<Unspent, "amount">[]): Gatherable => {
  const feeFor = (vbytes: bigint): bigint => feeOf(QUIET_RATE, vbytes);
  const coins = worthSpending({ own, feeFor }, unspent).length;
  const maxFee = feeFor(virtualSize(Math.min(coins, inputsMax(own)), own, [own]));
  return { coins, body: { kind: "Consolidate", maxFee: maxFee.toString() } };
};
