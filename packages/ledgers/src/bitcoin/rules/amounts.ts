import { granted, type Ruling, refusedWith } from "../../ruling.ts";
import type { BitcoindCoin } from "../chain/coin.ts";
import { inMoney } from "../fee-rate.ts";
import type { BitcoindTransaction } from "../transaction/transaction.ts";
import { MOST_MONEY } from "./consensus.ts";

const MATURITY_BLOCKS = 100;

/**
 * @param coins the outputs that the inputs spend
 * @param height of the block that is to hold the transaction
 * @returns the fee in satoshis
 * @source Bitcoin Core, src/consensus/tx_verify.cpp: CheckTxInputs
 */
export const checkAmounts = (
  { outputs }: BitcoindTransaction,
  coins: readonly BitcoindCoin[],
  height: number,
): Ruling<bigint> => {
  const young = coins.find((coin) => coin.isReward && height - coin.height < MATURITY_BLOCKS);
  if (young !== undefined) {
    const depth = height - young.height;
    return refusedWith(`bad-txns-premature-spend-of-coinbase, tried to spend coinbase at depth ${depth}`);
  }
  const given = coins.reduce((sum, { amount }) => sum + amount, 0n);
  if (given > MOST_MONEY) return refusedWith("bad-txns-inputvalues-outofrange");
  const paid = outputs.reduce((sum, { amount }) => sum + amount, 0n);
  return given < paid
    ? refusedWith(`bad-txns-in-belowout, value in (${inMoney(given)}) < value out (${inMoney(paid)})`)
    : granted(given - paid);
};
