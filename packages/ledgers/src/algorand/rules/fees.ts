import { granted, type Ruling, refusedWith } from "../../ruling.ts";
import type { AlgodSubmission } from "../transaction/transaction.ts";
import { microalgosInWords } from "./move.ts";

export interface AlgodFees {
  /** microalgos that each transaction of a group adds to what the group must pay together */
  readonly minimum: bigint;
  /** microalgos a byte that a busy node's pool asks of each transaction by itself; 0 when it is idle */
  readonly perByte: bigint;
}

/**
 * Whether a group pays for all of its transactions; one may pay for another.
 * @source go-algorand, ledger/eval/eval.go: CheckGroupFees
 */
export const checkGroupFees = (
  group: readonly AlgodSubmission[],
  { minimum }: AlgodFees,
): Ruling<undefined> => {
  const paid = group.reduce((sum, { transaction }) => sum + transaction.fee, 0n);
  const needed = minimum * BigInt(group.length);
  if (paid >= needed) return granted(undefined);
  const [has, needs, base] = [paid, needed, minimum].map(microalgosInWords);
  return refusedWith(
    `txgroup with ${has} fees is less than ${needs} (usage=${group.length}.000000 * base=${base})`,
  );
};

/**
 * Whether each transaction pays what the pool asks while it is busy.
 * @source go-algorand, data/pools/transactionPool.go: checkSufficientFee
 */
export const checkPoolFees = (
  group: readonly AlgodSubmission[],
  { perByte }: AlgodFees,
): Ruling<undefined> => {
  const cheap = group.find(({ transaction, size }) => transaction.fee < perByte * BigInt(size));
  if (cheap === undefined) return granted(undefined);
  const threshold = perByte * BigInt(cheap.size);
  return refusedWith(
    `fee {${cheap.transaction.fee}} below threshold ${threshold} (${perByte} per byte * ${cheap.size} bytes)`,
  );
};
