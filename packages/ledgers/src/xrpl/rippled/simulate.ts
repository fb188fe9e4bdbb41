import { hexToBytes } from "@noble/hashes/utils.js";
import { rippledResultCode, rippledResultWords } from "../engine-result.ts";
import { rippledMetadataOf } from "../metadata.ts";
import { carryOutRippled } from "../rules/carry-out.ts";
import { contextOfOpenLedger } from "../state.ts";
import { rippledTransactionJson } from "../transaction/json.ts";
import { RIPPLED_BLOB_BYTES_MAX, readRippledTransaction } from "../transaction/read.ts";
import { answered, failed, type RippledAnswer } from "./answer.ts";
import type { RippledQuery } from "./request.ts";

const HEX = /^([0-9A-Fa-f]{2})+$/;

/**
 * Tries an unsigned transaction in the open ledger, without the queue. Nothing changes. A node fills in missing fields;
 * this ledger refuses them as missing.
 * @source rippled, src/xrpld/rpc/handlers/Simulate.cpp
 */
export const simulate = ({ state, params, version }: RippledQuery): RippledAnswer => {
  const { tx_blob: blob, tx_json: json } = params;
  if (json !== undefined) return failed("notSupported", "This simulated ledger simulates a tx_blob alone.");
  if (typeof blob !== "string" || !HEX.test(blob) || blob.length > 2 * RIPPLED_BLOB_BYTES_MAX) {
    return failed("invalidParams", "Invalid field 'tx_blob'.");
  }
  const read = readRippledTransaction(hexToBytes(blob), "unsigned");
  if (!read.ok) return { ok: false, error: { error: "invalidTransaction", error_exception: read.message } };
  if (read.value.kind === "not-simulated") {
    return failed("notSupported", `This simulated ledger does not carry out ${read.value.what}.`);
  }
  const { transaction } = read.value;
  const context = contextOfOpenLedger(state);
  const { books: before } = state.open;
  const { result, books: after } = carryOutRippled(before, transaction, context);
  return answered({
    applied: false,
    engine_result: result,
    engine_result_code: rippledResultCode(result),
    engine_result_message:
      result === "tesSUCCESS"
        ? "The simulated transaction would have been applied."
        : rippledResultWords(result),
    ledger_index: context.ledgerIndex,
    ...(after === undefined
      ? {}
      : { meta: rippledMetadataOf({ transaction, result, before, after, index: 0 }) }),
    tx_json: rippledTransactionJson(transaction, version),
  });
};
