import type { LedgerJson } from "../../json.ts";
import type { HorizonOperationResult, HorizonOutcome, HorizonResult } from "../xdr/result.ts";

const wordOf = (result: HorizonOperationResult): string =>
  result.type === "op_inner" ? result.value.value.type : result.type;

const operationsOf = (outcome: HorizonOutcome): LedgerJson =>
  outcome.type === "tx_failed" || outcome.type === "tx_success" ? outcome.value.map(wordOf) : undefined;

/** The result codes of a transaction: Horizon's `extras.result_codes`. */
export const resultCodes = ({ outcome }: HorizonResult): LedgerJson => {
  if (outcome.type === "tx_fee_bump_inner_failed" || outcome.type === "tx_fee_bump_inner_success") {
    const inner = outcome.value.result.outcome;
    return {
      transaction: outcome.type,
      inner_transaction: inner.type,
      operations: operationsOf(inner),
    };
  }
  return { transaction: outcome.type, operations: operationsOf(outcome) };
};
