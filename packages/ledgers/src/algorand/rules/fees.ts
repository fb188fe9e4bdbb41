import { granted, type Ruling, refusedWith } from "../../ruling.ts";
import type { AlgodSubmission } from "../transaction/transaction.ts";
import { microalgosInWords } from "./move.ts";

export interface AlgodFees {
  /** microalgos per transaction that a group has to pay in total */
  readonly minimum: bigint;
  /** microalgos per byte that a busy node's pool requires of every single transaction; 0 when the node is idle */
  readonly perByte: bigint;
}

/**
 * Whether the fees of a group pay for all its transactions; one transaction may pay for another.
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
 * Whether each transaction pays the rate of a busy pool.
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
