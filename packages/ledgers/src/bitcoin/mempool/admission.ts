import { granted, type Ruling, refusedWith } from "../../ruling.ts";
import { bucketValue } from "../bucket-map.ts";
import { type BitcoindChain, latestBitcoindBlock } from "../chain/chain.ts";
import type { BitcoindCoin } from "../chain/coin.ts";
import { feeAt } from "../fee-rate.ts";
import type { BitcoindFees } from "../fees.ts";
import { checkAmounts } from "../rules/amounts.ts";
import { checkConsensus } from "../rules/consensus.ts";
import { checkLockTime, checkSequenceLocks, type NextBlock } from "../rules/locks.ts";
import { checkInputsStandard, checkScripts } from "../rules/scripts.ts";
import { checkStandard, isDustOutput } from "../rules/standard.ts";
import { type BitcoindSerialisedTransaction, outpointKey } from "../transaction/transaction.ts";
import { checkChainLimits } from "./chain-limits.ts";
import { trimmedMempool } from "./eviction.ts";
import { type BitcoindMempool, withEntry, withoutEntries } from "./mempool.ts";
import { checkReplacement, conflictsOf } from "./replacement.ts";
import { coinsIn } from "./spendable.ts";

/** The state against which a transaction is checked. */
export interface AdmissionContext {
  readonly chain: BitcoindChain;
  readonly mempool: BitcoindMempool;
  readonly fees: BitcoindFees;
  /** seconds since 1970 */
  readonly time: number;
}

export interface MempoolAdmission {
  readonly mempool: BitcoindMempool;
  /** satoshis */
  readonly fee: bigint;
}

/** A node's refusal of an input that does not exist, or that a block has spent. */
export const MISSING_INPUTS = "bad-txns-inputs-missingorspent";

export const nextBlockOf = (chain: BitcoindChain): NextBlock => {
  const { height, medianTime } = latestBitcoindBlock(chain);
  return { height: height + 1, medianTime };
};

const checkNew = (
  { entries }: BitcoindMempool,
  { txid, wtxid }: BitcoindSerialisedTransaction,
): Ruling<undefined> => {
  const known = entries.get(txid);
  if (known === undefined) return granted(undefined);
  return known.transaction.wtxid === wtxid
    ? refusedWith("txn-already-in-mempool")
    : refusedWith("txn-same-nonwitness-data-in-mempool");
};

const findCoins = (
  { chain, mempool }: AdmissionContext,
  { txid, inputs, outputs }: BitcoindSerialisedTransaction,
): Ruling<readonly BitcoindCoin[]> => {
  const coins = coinsIn(chain, mempool, inputs);
  if (coins !== undefined) return granted(coins);
  const isKnown = outputs.some((_, index) => bucketValue(chain.coins, outpointKey({ txid, index })));
  return refusedWith(isKnown ? "txn-already-known" : MISSING_INPUTS);
};

const checkFee = (
  { mempool, fees }: AdmissionContext,
  { virtualSize, outputs }: BitcoindSerialisedTransaction,
  fee: bigint,
): Ruling<undefined> => {
  if (fee > 0n && outputs.some(isDustOutput)) return refusedWith("dust, tx with dust output must be 0-fee");
  const [floor, relay] = [feeAt(mempool.floor, virtualSize), feeAt(fees.minimumRelay, virtualSize)];
  if (fee < floor) return refusedWith(`mempool min fee not met, ${fee} < ${floor}`);
  return fee < relay ? refusedWith(`min relay fee not met, ${fee} < ${relay}`) : granted(undefined);
};

/** @returns the txids that it would replace */
const checkPlace = (
  { mempool, fees }: AdmissionContext,
  transaction: BitcoindSerialisedTransaction,
  fee: bigint,
): Ruling<ReadonlySet<string>> => {
  const conflicts = conflictsOf(mempool, transaction);
  const replaced = checkReplacement(mempool, transaction, fee, conflicts, fees.incrementalRelay);
  if (!replaced.ok) return replaced;
  const limits = checkChainLimits(withoutEntries(mempool, replaced.value), transaction);
  return limits.ok ? replaced : limits;
};

const checkAlone = (
  { chain, mempool }: AdmissionContext,
  transaction: BitcoindSerialisedTransaction,
): Ruling<undefined> => {
  const checks = [
    () => checkConsensus(transaction),
    () => checkStandard(transaction),
    () => checkLockTime(transaction, nextBlockOf(chain)),
    () => checkNew(mempool, transaction),
  ];
  for (const check of checks) {
    const checked = check();
    if (!checked.ok) return checked;
  }
  return granted(undefined);
};

/**
 * Takes a transaction into the mempool after all checks of a node, in a node's order. A refusal is a node's text: the
 * reason and, after a comma, the debug message.
 * @source Bitcoin Core 29, src/validation.cpp: MemPoolAccept::AcceptSingleTransaction
 */
export const admitTransaction = (
  context: AdmissionContext,
  transaction: BitcoindSerialisedTransaction,
): Ruling<MempoolAdmission> => {
  const { chain, mempool, fees, time } = context;
  const alone = checkAlone(context, transaction);
  if (!alone.ok) return alone;
  const coins = findCoins(context, transaction);
  if (!coins.ok) return coins;
  const next = nextBlockOf(chain);
  const locks = checkSequenceLocks(transaction, coins.value, next);
  if (!locks.ok) return locks;
  const amounts = checkAmounts(transaction, coins.value, next.height);
  if (!amounts.ok) return amounts;
  const fee = amounts.value;
  const inputs = checkInputsStandard(transaction, coins.value);
  if (!inputs.ok) return inputs;
  const paid = checkFee(context, transaction, fee);
  if (!paid.ok) return paid;
  const replaced = checkPlace(context, transaction, fee);
  if (!replaced.ok) return replaced;
  const scripts = checkScripts(transaction, coins.value);
  if (!scripts.ok) return scripts;
  const entry = { transaction, fee, time, height: next.height - 1, notBefore: 0 };
  const taken = trimmedMempool(withEntry(withoutEntries(mempool, replaced.value), entry), fees);
  return taken.entries.has(transaction.txid) ? granted({ mempool: taken, fee }) : refusedWith("mempool full");
};
