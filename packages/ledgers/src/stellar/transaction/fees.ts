import type { HorizonAddress } from "../address.ts";
import type { HorizonTransaction } from "../xdr/envelope.ts";
import type { HorizonSubmission } from "./submission.ts";

export interface HorizonFees {
  /** stroops that each operation must offer at least */
  readonly minimum: bigint;
  /** stroops an operation that a ledger asks while it is crowded; a transaction that offers less waits */
  readonly surge: bigint;
}

export const lesserOf = (a: bigint, b: bigint): bigint => [a, b].reduce((x, y) => (x < y ? x : y));

export const greaterOf = (a: bigint, b: bigint): bigint => [a, b].reduce((x, y) => (x > y ? x : y));

/** The next ledger's fee of each operation. */
export const priceOf = ({ minimum, surge }: HorizonFees): bigint => greaterOf(minimum, surge);

export const feeSourceOf = ({ transaction, bump }: HorizonSubmission): HorizonAddress =>
  (bump?.source ?? transaction.source).account;

/** All that a transaction offers to pay, in stroops. */
export const bidOf = ({ transaction, bump }: HorizonSubmission): bigint =>
  bump?.fee ?? BigInt(transaction.fee);

/** The fee of a contract's call for its resources, apart from its place in the ledger. */
export const resourceFeeOf = ({ extension }: HorizonTransaction): bigint =>
  extension.type === "soroban" ? extension.value.resourceFee : 0n;

/** A transaction's offer for its place in the ledger. */
export const inclusionBidOf = (submission: HorizonSubmission): bigint =>
  bidOf(submission) - resourceFeeOf(submission.transaction);

/** A fee bump counts as one operation more. */
export const chargedOperations = ({ transaction, bump }: HorizonSubmission): bigint =>
  BigInt(Math.max(1, transaction.operations.length)) + (bump === undefined ? 0n : 1n);

/**
 * The price of a place in the ledger, resources included, and never more than was offered. @param price an
 * operation
 */
export const feeToCharge = (submission: HorizonSubmission, price: bigint): bigint => {
  const place = price * chargedOperations(submission);
  return lesserOf(place, inclusionBidOf(submission)) + resourceFeeOf(submission.transaction);
};

/** a / b, rounded up. */
const dividedUp = (a: bigint, b: bigint): bigint => (a + b - 1n) / b;

/** The fee factor by which a replacement must exceed the waiting transaction of the same source. */
const FEE_MULTIPLIER = 10n;

/**
 * The least offer of a transaction that replaces a waiting one.
 * @source stellar-core, TransactionQueue.cpp: canReplaceByFee
 */
export const leastReplacingBid = (waiting: HorizonSubmission, by: HorizonSubmission): bigint =>
  dividedUp(inclusionBidOf(waiting) * FEE_MULTIPLIER * chargedOperations(by), chargedOperations(waiting));

/**
 * The least offer of a fee bump: for each operation as much as the transaction that it carries.
 * @source stellar-core, FeeBumpTransactionFrame.cpp: commonValidPreSeqNum
 */
export const leastBumpingBid = (submission: HorizonSubmission, minimum: bigint): bigint => {
  const carried = { ...submission, bump: undefined };
  const [outer, inner] = [chargedOperations(submission), chargedOperations(carried)];
  return greaterOf(dividedUp(inclusionBidOf(carried) * outer, inner), minimum * outer);
};
