import type { RippledEffect } from "../advance.ts";
import { rippledAccountIn } from "../books.ts";
import { rippledResultCode } from "../engine-result.ts";
import { transactionsIn } from "../open-ledger.ts";
import { openLedgerCost } from "../rules/fees.ts";
import { nextNumber } from "../rules/queue.ts";
import { latestRippledLedger, type RippledState } from "../state.ts";
import { rippledTransactionJson } from "../transaction/json.ts";
import { RIPPLED_BLOB_BYTES_MAX } from "../transaction/read.ts";
import { answered, failed, failedByName, type RippledAnswer, type RippledJson } from "./answer.ts";
import type { RippledRequest } from "./request.ts";

const HEX = /^([0-9A-Fa-f]{2})+$/;
const BLOB_CHARACTERS_MAX = 2 * RIPPLED_BLOB_BYTES_MAX;

type Judged = Extract<RippledEffect, { kind: "judged" }>;

/** The hex of the submitted transaction, or the error. */
export const submittedBlob = ({ params }: RippledRequest): string | RippledAnswer => {
  const { tx_blob: blob, tx_json: json } = params;
  if (blob === undefined && json !== undefined) {
    return failed("notSupported", "Signing is not supported by this server.");
  }
  if (typeof blob !== "string" || !HEX.test(blob)) return failed("invalidParams");
  return blob.length > BLOB_CHARACTERS_MAX
    ? failed("invalidParams", `tx_blob has more than ${BLOB_CHARACTERS_MAX} characters`)
    : blob;
};

/** The sender's sequence numbers after the submission, for its next transaction. */
const accountState = (state: RippledState, { transaction }: Judged): RippledJson => {
  const account = transaction && rippledAccountIn(state.open.books, transaction.account);
  if (account === undefined) return {};
  const queued = transactionsIn(state.open, "queued").filter((each) => each.account === transaction?.account);
  return {
    account_sequence_next: account.sequence,
    account_sequence_available: nextNumber(account.sequence, queued),
  };
};

const judgedAnswer = (state: RippledState, judged: Judged, blob: string, version: number): RippledAnswer => {
  const { hash, result, words, transaction, place } = judged;
  const fields = transaction === undefined ? {} : rippledTransactionJson(transaction, version);
  return answered({
    accepted: place !== undefined,
    ...accountState(state, judged),
    applied: place === "open",
    broadcast: place === "open",
    engine_result: result,
    engine_result_code: rippledResultCode(result),
    engine_result_message: words,
    kept: place !== undefined,
    open_ledger_cost: `${openLedgerCost(state.fees)}`,
    queued: place === "queued",
    tx_blob: blob.toUpperCase(),
    tx_json: { ...fields, hash },
    validated_ledger_index: latestRippledLedger(state).index,
  });
};

/** @param effect of applying the submission @source rippled, src/xrpld/rpc/handlers/Submit.cpp */
export const submitAnswer = (
  state: RippledState,
  effect: RippledEffect | undefined,
  blob: string,
  version: number,
): RippledAnswer => {
  switch (effect?.kind) {
    case "judged":
      return judgedAnswer(state, effect, blob, version);
    case "invalid":
      return { ok: false, error: { error: "invalidTransaction", error_exception: effect.message } };
    case "refused":
      return failedByName(effect.message);
    default:
      throw new Error("a submission has an outcome");
  }
};
