import { accountEntry, type HorizonBooks } from "../books.ts";
import {
  checkOperation,
  isSuccess,
  placeOfOperationIn,
  sourceOfOperation,
  thresholdOf,
} from "../operations/operation.ts";
import { spendable } from "../operations/reserve.ts";
import { innerResult, outerResult } from "../operations/ruling.ts";
import { areResourcesValid } from "../soroban/resources.ts";
import type { HorizonAccount } from "../xdr/ledger-entry.ts";
import type { HorizonFlaw, HorizonOperationResult, HorizonOutcome, HorizonResult } from "../xdr/result.ts";
import { conditionsOf, flawOfSequence, flawOfTime, type HorizonMoment } from "./conditions.ts";
import {
  bidOf,
  chargedOperations,
  feeToCharge,
  inclusionBidOf,
  leastBumpingBid,
  resourceFeeOf,
} from "./fees.ts";
import { SignatureCheck } from "./signatures.ts";
import type { HorizonSubmission } from "./submission.ts";

/** The state and conditions against which a transaction is checked. */
export interface HorizonScene {
  readonly books: HorizonBooks;
  readonly moment: HorizonMoment;
  /** minimum stroops per operation */
  readonly minimumFee: bigint;
  /** stroops for each ledger entry of an account */
  readonly baseReserve: bigint;
  readonly networkId: Uint8Array;
}

export const flawed = (type: HorizonFlaw): HorizonOutcome => ({ type, value: undefined });

/**
 * Since protocol 23, a contract call must have neither a memo nor multiplexed accounts, because contracts see neither.
 * @source CAP-67; stellar-core, TransactionFrame.cpp: validateSorobanMemo
 */
const flawOfCall = ({ transaction, bytes }: HorizonSubmission): HorizonFlaw | undefined => {
  const { operations, extension, memo, source } = transaction;
  if (operations.length > 1 || extension.type !== "soroban") return "tx_malformed";
  const isMuxed = [source, ...operations.map((each) => each.source)].some((each) => each?.id !== undefined);
  if (memo.type !== "none" || isMuxed) return "tx_soroban_invalid";
  return areResourcesValid(extension.value, bytes.length) ? undefined : "tx_soroban_invalid";
};

/** The checks without an account. @source stellar-core, TransactionFrame.cpp: commonValidPreSeqNum */
const flawOfShape = (submission: HorizonSubmission): HorizonFlaw | undefined => {
  const { operations, extension } = submission.transaction;
  if (operations.some(({ body }) => body.type === "invokeHostFunction")) {
    const flaw = flawOfCall(submission);
    if (flaw !== undefined) return flaw;
    return inclusionBidOf(submission) < 0n ? "tx_soroban_invalid" : undefined;
  }
  if (extension.type === "soroban") return "tx_malformed";
  return operations.length === 0 ? "tx_missing_operation" : undefined;
};

const lowThresholdOf = ({ thresholds }: HorizonAccount): number => thresholds[1] ?? 0;

/** Whether the source account may send the transaction now. @source stellar-core, TransactionFrame.cpp: commonValid */
export const flawOfSource = (
  { transaction }: HorizonSubmission,
  { books, moment }: HorizonScene,
  signatures: SignatureCheck,
): HorizonFlaw | undefined => {
  const account = accountEntry(books, transaction.source.account);
  if (account === undefined) return "tx_no_source_account";
  const flaw = flawOfSequence(transaction, account, moment);
  if (flaw !== undefined) return flaw;
  if (!signatures.satisfies(account, lowThresholdOf(account))) return "tx_bad_auth";
  const { extraSigners } = conditionsOf(transaction);
  return extraSigners.every((key) => signatures.satisfiesSigner(key)) ? undefined : "tx_bad_auth";
};

/** Whether the source accounts of all operations signed. @returns one result for each operation */
export const authorizations = (
  { transaction }: HorizonSubmission,
  books: HorizonBooks,
  signatures: SignatureCheck,
): readonly ("signed" | "op_bad_auth" | "op_no_source_account")[] =>
  transaction.operations.map((operation) => {
    const source = sourceOfOperation(operation, transaction);
    const account = accountEntry(books, source);
    if (account !== undefined) {
      const threshold = account.thresholds[thresholdOf(operation)] ?? 0;
      return signatures.satisfies(account, threshold) ? "signed" : "op_bad_auth";
    }
    if (operation.source === undefined) return "op_no_source_account";
    return signatures.satisfiesKey(source) ? "signed" : "op_bad_auth";
  });

const operationResults = (
  submission: HorizonSubmission,
  scene: HorizonScene,
  signatures: SignatureCheck,
): readonly HorizonOperationResult[] => {
  const { transaction, bytes } = submission;
  const signed = authorizations(submission, scene.books, signatures);
  return transaction.operations.map((operation, at) => {
    const authorization = signed[at] ?? "op_bad_auth";
    if (authorization !== "signed") return outerResult(authorization);
    const place = placeOfOperationIn(operation, transaction, bytes.length, scene);
    return innerResult(checkOperation(operation, place));
  });
};

export const isResultGood = (result: HorizonOperationResult): boolean =>
  result.type === "op_inner" && isSuccess(result.value);

/**
 * Checks a transaction apart from any fee bump around it. @param pays whether it must offer a sufficient fee itself;
 * inside a fee bump it need not
 */
const checkTransaction = (
  submission: HorizonSubmission,
  scene: HorizonScene,
  pays: boolean,
): HorizonOutcome => {
  const { transaction, hash } = submission;
  const carried = { ...submission, bump: undefined };
  const least = scene.minimumFee * chargedOperations(carried);
  const early = flawOfShape(submission) ?? flawOfTime(transaction, scene.moment);
  if (early !== undefined) return flawed(early);
  if (pays && inclusionBidOf(carried) < least) return flawed("tx_insufficient_fee");
  const signatures = new SignatureCheck(hash, submission.signatures);
  const flaw = flawOfSource(submission, scene, signatures);
  if (flaw !== undefined) return flawed(flaw);
  const account = accountEntry(scene.books, transaction.source.account);
  if (pays && (account === undefined || spendable(account, scene.baseReserve) < bidOf(carried))) {
    return flawed("tx_insufficient_balance");
  }
  const results = operationResults(submission, scene, signatures);
  if (!results.every(isResultGood)) return { type: "tx_failed", value: results };
  return signatures.areAllUsed ? { type: "tx_success", value: results } : flawed("tx_bad_auth_extra");
};

/** @source stellar-core, FeeBumpTransactionFrame.cpp: commonValid */
const flawOfBump = (submission: HorizonSubmission, scene: HorizonScene): HorizonFlaw | undefined => {
  const { bump } = submission;
  if (bump === undefined) return undefined;
  if (
    bidOf(submission) - resourceFeeOf(submission.transaction) <
    leastBumpingBid(submission, scene.minimumFee)
  ) {
    return "tx_insufficient_fee";
  }
  const payer = accountEntry(scene.books, bump.source.account);
  if (payer === undefined) return "tx_no_source_account";
  const signatures = new SignatureCheck(bump.hash, bump.signatures);
  if (!signatures.satisfies(payer, lowThresholdOf(payer))) return "tx_bad_auth";
  if (spendable(payer, scene.baseReserve) < bidOf(submission)) return "tx_insufficient_balance";
  return signatures.areAllUsed ? undefined : "tx_bad_auth_extra";
};

/** The result of a transaction, in the form that its sender receives. */
export const resultOf = (
  submission: HorizonSubmission,
  feeCharged: bigint,
  outcome: HorizonOutcome,
): HorizonResult => {
  if (submission.bump === undefined) return { feeCharged, outcome, extension: undefined };
  const carried = { hash: submission.hash, result: { feeCharged: 0n, outcome, extension: undefined } };
  const type = outcome.type === "tx_success" ? "tx_fee_bump_inner_success" : "tx_fee_bump_inner_failed";
  return { feeCharged, outcome: { type, value: carried }, extension: undefined };
};

const leastBid = (submission: HorizonSubmission, minimumFee: bigint): bigint =>
  submission.bump === undefined
    ? minimumFee * chargedOperations(submission) + resourceFeeOf(submission.transaction)
    : leastBumpingBid(submission, minimumFee) + resourceFeeOf(submission.transaction);

/** Whether a transaction is valid in the next ledger. @source stellar-core, TransactionFrame.cpp: checkValid */
export const checkSubmission = (submission: HorizonSubmission, scene: HorizonScene): HorizonResult => {
  const flaw = flawOfBump(submission, scene);
  const outcome =
    flaw === undefined ? checkTransaction(submission, scene, submission.bump === undefined) : flawed(flaw);
  const feeCharged =
    outcome.type === "tx_insufficient_fee"
      ? leastBid(submission, scene.minimumFee)
      : feeToCharge(submission, scene.minimumFee);
  return flaw === undefined
    ? resultOf(submission, feeCharged, outcome)
    : { feeCharged, outcome, extension: undefined };
};

export const isResultOfSuccess = ({ outcome }: HorizonResult): boolean =>
  outcome.type === "tx_success" || outcome.type === "tx_fee_bump_inner_success";
