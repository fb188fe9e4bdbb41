import type { LedgerJson } from "../../json.ts";
import type { RippledLedger, RippledValidated } from "../closed-ledger.ts";
import { rippledResultCode, rippledResultWords } from "../engine-result.ts";
import { isoOfRippleTime } from "../ripple-time.ts";
import { rippledTransactionJson } from "../transaction/json.ts";
import type { RippledJson } from "./answer.ts";
import type { RippledVersion } from "./request.ts";

/** A transaction in the form of `tx`. API version 1 puts the transaction's fields at the top level of the answer. */
export const rippledTransactionView = (
  ledger: RippledLedger,
  { transaction, metadata }: RippledValidated,
  version: RippledVersion,
): RippledJson => {
  const fields = {
    ...rippledTransactionJson(transaction, version),
    date: ledger.closeTime,
    ledger_index: ledger.index,
  };
  const names = { hash: transaction.hash, meta: metadata, validated: true };
  if (version === 1) return { ...fields, ...names, inLedger: ledger.index };
  return {
    ...names,
    tx_json: fields,
    ledger_hash: ledger.hash,
    ledger_index: ledger.index,
    close_time_iso: isoOfRippleTime(ledger.closeTime),
  };
};

/** A transaction in the form of `account_tx`. */
export const listedTransaction = (
  ledger: RippledLedger,
  validated: RippledValidated,
  version: RippledVersion,
): RippledJson => {
  if (version === 2) return rippledTransactionView(ledger, validated, 2);
  const { transaction, metadata } = validated;
  const tx = {
    ...rippledTransactionJson(transaction, 1),
    date: ledger.closeTime,
    hash: transaction.hash,
    inLedger: ledger.index,
    ledger_index: ledger.index,
  };
  return { meta: metadata, tx, validated: true };
};

/** A transaction in the form of `ledger` with `expand`. */
export const expandedTransaction = (
  ledger: RippledLedger,
  validated: RippledValidated,
  version: RippledVersion,
): LedgerJson => {
  const { transaction, metadata } = validated;
  return version === 1
    ? { ...rippledTransactionJson(transaction, 1), hash: transaction.hash, metaData: metadata }
    : rippledTransactionView(ledger, validated, 2);
};

/** A transaction in the form of the streams. */
export const transactionMessage = (
  ledger: RippledLedger,
  validated: RippledValidated,
  version: RippledVersion,
): RippledJson => {
  const { transaction, result, metadata } = validated;
  const fields = { ...rippledTransactionJson(transaction, version), date: ledger.closeTime };
  return {
    type: "transaction",
    close_time_iso: isoOfRippleTime(ledger.closeTime),
    engine_result: result,
    engine_result_code: rippledResultCode(result),
    engine_result_message: rippledResultWords(result),
    ledger_hash: ledger.hash,
    ledger_index: ledger.index,
    meta: metadata,
    status: "closed",
    validated: true,
    ...(version === 1
      ? { transaction: { ...fields, hash: transaction.hash } }
      : { hash: transaction.hash, tx_json: { ...fields, ledger_index: ledger.index } }),
  };
};
