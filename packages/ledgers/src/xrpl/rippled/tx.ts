import { waitingIn } from "../open-ledger.ts";
import { completeRanges, validatedIn } from "../state.ts";
import { rippledTransactionJson } from "../transaction/json.ts";
import type { RippledTransaction } from "../transaction/transaction.ts";
import { answered, failed, type RippledAnswer } from "./answer.ts";
import type { RippledQuery, RippledVersion } from "./request.ts";
import { rippledTransactionView } from "./transaction-views.ts";

const HASH = /^[0-9A-Fa-f]{64}$/;
const RANGE_MAX = 1_000;

const waitingView = (transaction: RippledTransaction, version: RippledVersion): RippledAnswer => {
  const fields = rippledTransactionJson(transaction, version);
  return answered(
    version === 1
      ? { ...fields, hash: transaction.hash, validated: false }
      : { tx_json: fields, hash: transaction.hash, validated: false },
  );
};

/** The answer for a missing transaction; it states whether the node has searched all ledgers of the requested range. */
const notFound = ({ state, params }: RippledQuery): RippledAnswer => {
  const { min_ledger: min, max_ledger: max } = params;
  if (typeof min !== "number" || typeof max !== "number") return failed("txnNotFound");
  const isSearched = completeRanges(state).some(({ from, to }) => from <= min && max <= to);
  return failed("txnNotFound", undefined, { searched_all: isSearched });
};

/** Finds a transaction by its hash, validated or waiting. @source rippled, src/xrpld/rpc/handlers/Tx.cpp */
export const tx = (query: RippledQuery): RippledAnswer => {
  const { params, state, version } = query;
  const { transaction: hash, min_ledger: min, max_ledger: max, binary } = params;
  if (binary === true)
    return failed("notSupported", "this simulated ledger serves transactions in JSON only");
  if (typeof hash !== "string") return failed("invalidParams");
  if (!HASH.test(hash)) return failed("notImpl");
  if (min !== undefined && max !== undefined) {
    if (typeof min !== "number" || typeof max !== "number" || max < min) return failed("invalidLgrRange");
    if (max - min > RANGE_MAX) return failed("excessiveLgrRange");
  }
  const found = validatedIn(state, hash.toUpperCase());
  if (found !== undefined) return answered(rippledTransactionView(found.ledger, found.validated, version));
  const waiting = waitingIn(state.open, hash.toUpperCase());
  return waiting === undefined ? notFound(query) : waitingView(waiting.transaction, version);
};
