import type { LedgerJson } from "../../json.ts";
import { type HorizonState, latestLedger } from "../state.ts";
import { chargedOperations, greaterOf, inclusionBidOf, lesserOf, priceOf } from "../transaction/fees.ts";

/** The number of ledgers that Horizon's statistics cover. */
const LEDGERS = 5;
const PERCENTILES = [10, 20, 30, 40, 50, 60, 70, 80, 90, 95, 99] as const;

/** The distribution of fees, in stroops per operation. @param fees at least one */
export const spreadOf = (fees: readonly bigint[]): Readonly<Record<string, string>> => {
  const sorted = fees.toSorted((a, b) => (a < b ? -1 : 1));
  const at = (index: number): string =>
    (sorted[Math.min(Math.max(index, 0), sorted.length - 1)] ?? 0n).toString();
  const counts = new Map<bigint, number>();
  for (const fee of sorted) counts.set(fee, (counts.get(fee) ?? 0) + 1);
  const [mode] = [...counts].reduce((most, each) => (each[1] > most[1] ? each : most));
  const percentiles = PERCENTILES.map((percent) => [
    `p${percent}`,
    at(Math.ceil((sorted.length * percent) / 100) - 1),
  ]);
  return {
    max: at(sorted.length - 1),
    min: at(0),
    mode: mode.toString(),
    ...Object.fromEntries(percentiles),
  };
};

interface RecentFees {
  readonly charged: readonly bigint[];
  readonly offered: readonly bigint[];
  readonly transactions: number;
}

/**
 * The fees per operation in the last ledgers. While an operator simulates crowded ledgers, every fee counts as at least
 * the surge price.
 * @param isCounted selects by whether a transaction calls a contract
 */
export const recentFees = (
  state: HorizonState,
  isCounted: (isContractCall: boolean) => boolean,
): RecentFees => {
  const now = priceOf(state.fees);
  const raised = (fee: bigint): bigint => greaterOf(fee, now);
  const paid = state.ledgers.slice(-LEDGERS).flatMap(({ transactions, price }) =>
    transactions
      .filter(({ submission }) => isCounted(submission.transaction.extension.type === "soroban"))
      .map(({ submission }) => {
        const offered = inclusionBidOf(submission) / chargedOperations(submission);
        return { offered, charged: lesserOf(offered, price) };
      }),
  );
  if (paid.length === 0) return { charged: [now], offered: [now], transactions: 0 };
  return {
    charged: paid.map(({ charged }) => raised(charged)),
    offered: paid.map(({ offered }) => raised(offered)),
    transactions: paid.length,
  };
};

const usage = (state: HorizonState): string => {
  const recent = state.ledgers.slice(-LEDGERS);
  const full = recent.reduce((sum, { transactions, header }) => {
    const operations = transactions.reduce(
      (all, { submission }) => all + Number(chargedOperations(submission)),
      0,
    );
    return sum + operations / header.mostOperations;
  }, 0);
  return (state.fees.surge > state.fees.minimum ? 1 : full / recent.length).toFixed(2);
};

/** GET /fee_stats. */
export const feeStatsJson = (state: HorizonState): LedgerJson => {
  const { header } = latestLedger(state);
  const { charged, offered } = recentFees(state, () => true);
  return {
    last_ledger: header.sequence.toString(),
    last_ledger_base_fee: header.baseFee.toString(),
    ledger_capacity_usage: usage(state),
    fee_charged: spreadOf(charged),
    max_fee: spreadOf(offered),
  };
};
