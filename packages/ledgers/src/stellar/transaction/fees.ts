import type { HorizonAddress } from "../address.ts";
import type { HorizonTransaction } from "../xdr/envelope.ts";
import type { HorizonSubmission } from "./submission.ts";

export interface HorizonFees {
  /** minimum stroops per operation */
  readonly minimum: bigint;
  /** stroops per operation while ledgers are crowded; a transaction that offers less waits */
  readonly surge: bigint;
}

export const lesserOf = (a: bigint, b: bigint): bigint => [a, b].reduce((x, y) => (x < y ? x : y));

export const greaterOf = (a: bigint, b: bigint): bigint => [a, b].reduce((x, y) => (x > y ? x : y));

/** The price per operation in the next ledger. */
export const priceOf = ({ minimum, surge }: HorizonFees): bigint => greaterOf(minimum, surge);

export const feeSourceOf = ({ transaction, bump }: HorizonSubmission): HorizonAddress =>
  (bump?.source ?? transaction.source).account;

/** The maximum that a transaction offers to pay, in stroops. */
export const bidOf = ({ transaction, bump }: HorizonSubmission): bigint =>
  bump?.fee ?? BigInt(transaction.fee);

/** The fee of a contract call for its resources, without the inclusion fee. */
export const resourceFeeOf = ({ extension }: HorizonTransaction): bigint =>
  extension.type === "soroban" ? extension.value.resourceFee : 0n;

/** The maximum inclusion fee that a transaction offers. */
export const inclusionBidOf = (submission: HorizonSubmission): bigint =>
  bidOf(submission) - resourceFeeOf(submission.transaction);

/** The number of operations charged for; a fee bump counts as one more. */
export const chargedOperations = ({ transaction, bump }: HorizonSubmission): bigint =>
  BigInt(Math.max(1, transaction.operations.length)) + (bump === undefined ? 0n : 1n);

/** The inclusion fee at the ledger's price, but never above the offer, plus the resource fee. @param price per operation */
export const feeToCharge = (submission: HorizonSubmission, price: bigint): bigint => {
  const place = price * chargedOperations(submission);
  return lesserOf(place, inclusionBidOf(submission)) + resourceFeeOf(submission.transaction);
};

/** a / b, rounded up. */
const dividedUp = (a: bigint, b: bigint): bigint => (a + b - 1n) / b;

/** A replacement must offer this many times the fee of the waiting transaction. */
const FEE_MULTIPLIER = 10n;

/**
 * The minimum offer of a transaction that replaces a waiting one.
 * @source stellar-core, TransactionQueue.cpp: canReplaceByFee
 */
export const leastReplacingBid = (waiting: HorizonSubmission, by: HorizonSubmission): bigint =>
  dividedUp(inclusionBidOf(waiting) * FEE_MULTIPLIER * chargedOperations(by), chargedOperations(waiting));

/**
 * The minimum offer of a fee bump: at least its inner transaction's offer per operation.
 * @source stellar-core, FeeBumpTransactionFrame.cpp: commonValidPreSeqNum
 */
export const leastBumpingBid = (submission: HorizonSubmission, minimum: bigint): bigint => {
  const carried = { ...submission, bump: undefined };
  const [outer, inner] = [chargedOperations(submission), chargedOperations(carried)];
  return greaterOf(dividedUp(inclusionBidOf(carried) * outer, inner), minimum * outer);
};
