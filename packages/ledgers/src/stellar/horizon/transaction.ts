import { bytesToHex } from "@noble/hashes/utils.js";
import type { LedgerJson } from "../../json.ts";
import type { HorizonRecord } from "../ledger.ts";
import { conditionsOf } from "../transaction/conditions.ts";
import { bidOf } from "../transaction/fees.ts";
import { isResultOfSuccess } from "../transaction/validity.ts";
import type { HorizonMemo, HorizonSignature, HorizonTransaction } from "../xdr/envelope.ts";
import { type JsonFields, namedAccountJson, textOfBytes, timeText, toBase64 } from "./format.ts";
import { linkTo, linkToList } from "./link.ts";
import { placeOf } from "./paging.ts";

const memoJson = (memo: HorizonMemo): JsonFields => {
  switch (memo.type) {
    case "none":
      return { memo_type: "none" };
    case "text":
      return { memo_type: "text", memo: textOfBytes(memo.value), memo_bytes: toBase64(memo.value) };
    case "id":
      return { memo_type: "id", memo: memo.value.toString() };
    case "hash":
    case "return":
      return { memo_type: memo.type, memo: toBase64(memo.value) };
  }
};

const preconditionsJson = (transaction: HorizonTransaction): JsonFields => {
  const { timeBounds, ledgerBounds, ...more } = conditionsOf(transaction);
  if (transaction.preconditions.type === "none") return {};
  const times = timeBounds && {
    timebounds: {
      min_time: timeBounds.minimum.toString(),
      ...(timeBounds.maximum > 0n && { max_time: timeBounds.maximum.toString() }),
    },
  };
  const ledgers = ledgerBounds && {
    ledgerbounds: { min_ledger: ledgerBounds.minimum, max_ledger: ledgerBounds.maximum },
  };
  const sequence = more.minimumSequence !== undefined && {
    min_account_sequence: more.minimumSequence.toString(),
  };
  return {
    preconditions: { ...times, ...ledgers, ...sequence },
    ...(timeBounds && { valid_after: timeText(timeBounds.minimum) }),
    ...(timeBounds && timeBounds.maximum > 0n && timeBounds.maximum < 253_402_300_800n
      ? { valid_before: timeText(timeBounds.maximum) }
      : {}),
  };
};

const signaturesJson = (signatures: readonly HorizonSignature[]): LedgerJson =>
  signatures.map(({ signature }) => toBase64(signature));

const linksJson = (origin: string, record: HorizonRecord): LedgerJson => {
  const { submission, ledger } = record;
  const path = `/transactions/${submission.id}`;
  const place = placeOf(record);
  return {
    self: linkTo(origin, path),
    account: linkTo(origin, `/accounts/${submission.transaction.source.account}`),
    ledger: linkTo(origin, `/ledgers/${ledger}`),
    payments: linkToList(origin, `${path}/payments`),
    precedes: linkTo(origin, `/transactions?order=asc&cursor=${place}`),
    succeeds: linkTo(origin, `/transactions?order=desc&cursor=${place}`),
    transaction: linkTo(origin, path),
  };
};

const bumpJson = ({ submission }: HorizonRecord): JsonFields => {
  const { bump, hash, signatures, transaction } = submission;
  if (bump === undefined) return {};
  return {
    fee_bump_transaction: { hash: submission.id, signatures: signaturesJson(bump.signatures) },
    inner_transaction: {
      hash: bytesToHex(hash),
      signatures: signaturesJson(signatures),
      max_fee: transaction.fee.toString(),
    },
  };
};

/** GET /transactions/{hash}. Fees are strings, as in Horizon. */
export const horizonTransactionJson = (record: HorizonRecord, origin: string): JsonFields => {
  const { submission, result } = record;
  const { transaction, signatures, bump } = submission;
  return {
    _links: linksJson(origin, record),
    id: submission.id,
    paging_token: placeOf(record).toString(),
    successful: isResultOfSuccess(result),
    hash: submission.id,
    ledger: record.ledger,
    created_at: timeText(record.closedAt),
    ...namedAccountJson("source_account", transaction.source),
    source_account_sequence: transaction.sequence.toString(),
    ...(bump === undefined
      ? namedAccountJson("fee_account", transaction.source)
      : namedAccountJson("fee_account", bump.source)),
    fee_charged: result.feeCharged.toString(),
    max_fee: bidOf(submission).toString(),
    operation_count: transaction.operations.length,
    envelope_xdr: toBase64(submission.bytes),
    result_xdr: toBase64(record.resultXdr),
    result_meta_xdr: toBase64(record.metaXdr),
    fee_meta_xdr: toBase64(record.feesXdr),
    ...memoJson(transaction.memo),
    signatures: signaturesJson(bump?.signatures ?? signatures),
    ...preconditionsJson(transaction),
    ...bumpJson(record),
  };
};
