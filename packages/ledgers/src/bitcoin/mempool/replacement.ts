import { granted, type Ruling, refusedWith } from "../../ruling.ts";
import { type BitcoindFeeRate, feeAt, feeRateInWords, feeRateOf, inMoney } from "../fee-rate.ts";
import type { BitcoindSerialisedTransaction } from "../transaction/transaction.ts";
import { type BitcoindMempool, type MempoolEntry, spenderOf } from "./mempool.ts";
import { ancestorsOf, sizeOfEntries, withDescendants } from "./relatives.ts";

const MOST_REPLACED = 100;

/** @returns txids of the waiting transactions that spend the same outputs */
export const conflictsOf = (
  mempool: BitcoindMempool,
  { inputs, txid }: BitcoindSerialisedTransaction,
): ReadonlySet<string> => {
  const spenders = inputs.map((input) => spenderOf(mempool, input)).filter((each) => each !== undefined);
  return new Set(spenders.filter((spender) => spender !== txid));
};

const entriesOf = (mempool: BitcoindMempool, txids: ReadonlySet<string>): readonly MempoolEntry[] =>
  [...txids].flatMap((txid) => mempool.entries.get(txid) ?? []);

const paysMore = (
  txid: string,
  rate: BitcoindFeeRate,
  conflicts: readonly MempoolEntry[],
): Ruling<undefined> => {
  for (const { fee, transaction } of conflicts) {
    const old = feeRateOf(fee, transaction.virtualSize);
    if (rate <= old) {
      const words = `new feerate ${feeRateInWords(rate)} <= old feerate ${feeRateInWords(old)}`;
      return refusedWith(`insufficient fee, rejecting replacement ${txid}; ${words}`);
    }
  }
  return granted(undefined);
};

const paysForItself = (
  { txid, virtualSize }: BitcoindSerialisedTransaction,
  fee: bigint,
  replacedFee: bigint,
  incremental: BitcoindFeeRate,
): Ruling<undefined> => {
  const words = `insufficient fee, rejecting replacement ${txid}`;
  if (fee < replacedFee) {
    return refusedWith(`${words}, less fees than conflicting txs; ${inMoney(fee)} < ${inMoney(replacedFee)}`);
  }
  const [added, needed] = [fee - replacedFee, feeAt(incremental, virtualSize)];
  return added < needed
    ? refusedWith(`${words}, not enough additional fees to relay; ${inMoney(added)} < ${inMoney(needed)}`)
    : granted(undefined);
};

/**
 * Whether a transaction may replace the waiting ones that spend the same outputs. Since version 28, replaced transactions
 * need not signal replaceability.
 * @param fee of the transaction, in satoshis
 * @param conflicts txids of the waiting transactions that spend the same outputs
 * @returns txids of all that it would evict: these and their descendants
 * @source Bitcoin Core 29, src/policy/rbf.cpp; src/validation.cpp: ReplacementChecks
 */
export const checkReplacement = (
  mempool: BitcoindMempool,
  transaction: BitcoindSerialisedTransaction,
  fee: bigint,
  conflicts: ReadonlySet<string>,
  incremental: BitcoindFeeRate,
): Ruling<ReadonlySet<string>> => {
  const { txid, inputs, virtualSize } = transaction;
  if (conflicts.size === 0) return granted(conflicts);
  const spent = [...ancestorsOf(mempool, transaction)].find((each) => conflicts.has(each));
  if (spent !== undefined) {
    return refusedWith(`bad-txns-spends-conflicting-tx, ${txid} spends conflicting transaction ${spent}`);
  }
  const direct = entriesOf(mempool, conflicts);
  const more = paysMore(txid, feeRateOf(fee, virtualSize), direct);
  if (!more.ok) return more;
  const replaced = withDescendants(mempool, conflicts);
  if (replaced.size > MOST_REPLACED) {
    const words = `too many potential replacements (${replaced.size} > ${MOST_REPLACED})`;
    return refusedWith(`too many potential replacements, rejecting replacement ${txid}; ${words}`);
  }
  const known = new Set(direct.flatMap((entry) => entry.transaction.inputs.map((input) => input.txid)));
  const added = inputs.findIndex((input) => mempool.entries.has(input.txid) && !known.has(input.txid));
  if (added >= 0) {
    return refusedWith(
      `replacement-adds-unconfirmed, replacement ${txid} adds unconfirmed input, idx ${added}`,
    );
  }
  const paid = paysForItself(transaction, fee, sizeOfEntries(mempool, replaced).fee, incremental);
  return paid.ok ? granted(replaced) : paid;
};
