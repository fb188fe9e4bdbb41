import { bytesToHex } from "@noble/hashes/utils.js";
import {
  accountEntry,
  changesIn,
  flattened,
  type HorizonBooks,
  layeredUpon,
  withAccountEntry,
} from "../books.ts";
import {
  applyOperation,
  placeOfOperationIn,
  refundableOf,
  sourceOfOperation,
} from "../operations/operation.ts";
import { withoutSubentry } from "../operations/reserve.ts";
import { type ContractDone, outerResult } from "../operations/ruling.ts";
import { VOID_VALUE } from "../soroban/value.ts";
import type { HorizonMeta } from "../xdr/meta.ts";
import type { HorizonOperationResult, HorizonOutcome } from "../xdr/result.ts";
import { flawOfTime } from "./conditions.ts";
import { feeSourceOf, resourceFeeOf } from "./fees.ts";
import { SignatureCheck } from "./signatures.ts";
import type { HorizonSubmission } from "./submission.ts";
import { authorizations, flawed, flawOfSource, type HorizonScene, isResultGood } from "./validity.ts";

/** The result of a transaction in a ledger. */
export interface HorizonApplied {
  readonly books: HorizonBooks;
  readonly outcome: HorizonOutcome;
  readonly meta: HorizonMeta;
  /** stroops of the fee that were refunded */
  readonly refund: bigint;
}

const NO_META: HorizonMeta = {
  extension: undefined,
  before: [],
  operations: [],
  after: [],
  soroban: undefined,
  events: [],
  diagnostics: [],
};

/** Charges the fee, or the whole balance if that is less. @source stellar-core, TransactionFrame.cpp: processFeeSeqNum */
export const chargeFee = (
  books: HorizonBooks,
  submission: HorizonSubmission,
  fee: bigint,
): { readonly books: HorizonBooks; readonly charged: bigint } => {
  const payer = accountEntry(books, feeSourceOf(submission));
  if (payer === undefined) return { books, charged: 0n };
  const charged = payer.balance < fee ? payer.balance : fee;
  return { books: withAccountEntry(books, { ...payer, balance: payer.balance - charged }), charged };
};

/** Removes the pre-authorised signers that name this transaction: each is valid once. */
const withoutSpentSigners = (books: HorizonBooks, { transaction, hash }: HorizonSubmission): HorizonBooks => {
  const sources = [
    transaction.source.account,
    ...transaction.operations.map((operation) => sourceOfOperation(operation, transaction)),
  ];
  return [...new Set(sources)].reduce((now, address) => {
    const account = accountEntry(now, address);
    const left = account?.signers.filter(
      ({ key }) => key.type !== "preAuthorized" || bytesToHex(key.value) !== bytesToHex(hash),
    );
    if (account === undefined || left === undefined || left.length === account.signers.length) return now;
    return withAccountEntry(now, withoutSubentry({ ...account, signers: left }));
  }, books);
};

const withSequence = (
  books: HorizonBooks,
  submission: HorizonSubmission,
  { moment }: HorizonScene,
): HorizonBooks => {
  const { source, sequence } = submission.transaction;
  const account = accountEntry(books, source.account);
  if (account === undefined) return books;
  const used = { sequence, sequenceLedger: moment.ledger, sequenceTime: moment.closedAt };
  return withoutSpentSigners(withAccountEntry(books, { ...account, ...used }), submission);
};

interface Carried {
  readonly books: HorizonBooks;
  readonly results: readonly HorizonOperationResult[];
  readonly operations: HorizonMeta["operations"];
  readonly contract: ContractDone | undefined;
}

/** Applies all operations in order; later ones are tried even if one fails. */
const operationsOf = (
  books: HorizonBooks,
  { transaction, bytes }: HorizonSubmission,
  scene: HorizonScene,
): Carried => {
  const results: HorizonOperationResult[] = [];
  const operations: HorizonMeta["operations"][number][] = [];
  let [now, contract]: [HorizonBooks, ContractDone | undefined] = [layeredUpon(books), undefined];
  for (const operation of transaction.operations) {
    const place = placeOfOperationIn(operation, transaction, bytes.length, scene);
    const acted = applyOperation(layeredUpon(now), operation, place);
    results.push(acted.result);
    if (!acted.ok) continue;
    const events = acted.contract === undefined ? [] : [acted.contract.event];
    operations.push({ extension: undefined, changes: changesIn(acted.books), events });
    now = flattened(acted.books);
    contract = acted.contract;
  }
  return { books: now, results, operations, contract };
};

/** The fees of a contract call, for the transaction's meta. */
const sorobanMeta = (
  { transaction, bytes }: HorizonSubmission,
  { rent, eventFee }: ContractDone,
): HorizonMeta["soroban"] => {
  const nonRefundable = resourceFeeOf(transaction) - refundableOf(transaction, bytes.length);
  const fees = { extension: undefined, nonRefundable, refundable: rent + eventFee, rent };
  return { extension: { type: "fees", value: fees }, returned: VOID_VALUE };
};

/** Refunds the unused part of the refundable resource fee. */
const refunded = (applied: Omit<HorizonApplied, "refund">, submission: HorizonSubmission): HorizonApplied => {
  const { transaction, bytes } = submission;
  const used = applied.meta.soroban?.extension;
  const spent = used?.type === "fees" ? used.value.refundable : 0n;
  const refund = refundableOf(transaction, bytes.length) - spent;
  const payer = accountEntry(applied.books, feeSourceOf(submission));
  if (refund <= 0n || payer === undefined) return { ...applied, refund: 0n };
  const balance = payer.balance + refund;
  const books = withAccountEntry(layeredUpon(applied.books), { ...payer, balance });
  return {
    ...applied,
    books: flattened(books),
    meta: { ...applied.meta, after: changesIn(books) },
    refund,
  };
};

/** Whether a transaction that fails in a ledger leaves its sequence number unused. */
const isSequenceKept = (type: HorizonOutcome["type"]): boolean =>
  type === "tx_bad_seq" ||
  type === "tx_no_source_account" ||
  type === "tx_too_early" ||
  type === "tx_too_late";

/**
 * Carries out a transaction whose fee was charged: all operations, or, if one fails, only the use of its sequence number.
 * @param books an overlay, which the caller merges
 * @source stellar-core, TransactionFrame.cpp: apply
 */
export const applyTransaction = (submission: HorizonSubmission, scene: HorizonScene): HorizonApplied =>
  refunded(carriedOut(submission, scene), submission);

const carriedOut = (submission: HorizonSubmission, scene: HorizonScene): Omit<HorizonApplied, "refund"> => {
  const { transaction, hash } = submission;
  const signatures = new SignatureCheck(hash, submission.signatures);
  const flaw = flawOfTime(transaction, scene.moment) ?? flawOfSource(submission, scene, signatures);
  if (flaw !== undefined && isSequenceKept(flaw)) {
    return { books: scene.books, outcome: flawed(flaw), meta: NO_META };
  }
  const signed = authorizations(submission, scene.books, signatures);
  const numbered = withSequence(layeredUpon(scene.books), submission, scene);
  const before = changesIn(numbered);
  const books = flattened(numbered);
  const failed = (outcome: HorizonOutcome) => ({
    books,
    outcome,
    meta: { ...NO_META, before },
  });
  if (flaw !== undefined) return failed(flawed(flaw));
  if (!signed.every((each) => each === "signed")) {
    const results = signed.map((each) => outerResult(each === "signed" ? "op_bad_auth" : each));
    return failed({ type: "tx_failed", value: results });
  }
  if (!signatures.areAllUsed) return failed(flawed("tx_bad_auth_extra"));
  const carried = operationsOf(books, submission, scene);
  if (!carried.results.every(isResultGood)) return failed({ type: "tx_failed", value: carried.results });
  return {
    books: flattened(carried.books),
    outcome: { type: "tx_success", value: carried.results },
    meta: {
      ...NO_META,
      before,
      operations: carried.operations,
      soroban: carried.contract && sorobanMeta(submission, carried.contract),
    },
  };
};
