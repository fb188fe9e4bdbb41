import { granted, type Ruling, refusedWith } from "../../ruling.ts";
import { ONE_BITCOIN } from "../fee-rate.ts";
import { wireWithoutWitness } from "../transaction/encode.ts";
import {
  type BitcoindSerialisedTransaction,
  isRewardTransaction,
  outpointKey,
} from "../transaction/transaction.ts";

export const MOST_MONEY = 21_000_000n * ONE_BITCOIN;
const MOST_BLOCK_WEIGHT = 4_000_000;
const NO_TXID = "0".repeat(64);

const isMoney = (amount: bigint): boolean => amount >= 0n && amount <= MOST_MONEY;

/** The consensus rules that need only the transaction itself. @source Bitcoin Core, src/consensus/tx_check.cpp */
export const checkConsensus = (transaction: BitcoindSerialisedTransaction): Ruling<undefined> => {
  const { inputs, outputs } = transaction;
  if (inputs.length === 0) return refusedWith("bad-txns-vin-empty");
  if (outputs.length === 0) return refusedWith("bad-txns-vout-empty");
  if (wireWithoutWitness(transaction).length * 4 > MOST_BLOCK_WEIGHT) {
    return refusedWith("bad-txns-oversize");
  }
  let total = 0n;
  for (const { amount } of outputs) {
    if (amount < 0n) return refusedWith("bad-txns-vout-negative");
    if (amount > MOST_MONEY) return refusedWith("bad-txns-vout-toolarge");
    total += amount;
    if (!isMoney(total)) return refusedWith("bad-txns-txouttotal-toolarge");
  }
  if (new Set(inputs.map(outpointKey)).size < inputs.length) {
    return refusedWith("bad-txns-inputs-duplicate");
  }
  if (isRewardTransaction(transaction)) return refusedWith("coinbase");
  return inputs.some(({ txid, index }) => txid === NO_TXID && index === 0xffffffff)
    ? refusedWith("bad-txns-prevout-null")
    : granted(undefined);
};
