import { bytesToHex } from "@noble/hashes/utils.js";
import type { LedgerJson } from "../../json.ts";
import type { HorizonLedger } from "../ledger.ts";
import { isResultOfSuccess } from "../transaction/validity.ts";
import { encodeXdr } from "../xdr/codec.ts";
import { xdrLedgerHeader } from "../xdr/header.ts";
import { amountText, timeText, toBase64 } from "./format.ts";
import { linkTo, linkToList } from "./link.ts";
import { placeOfLedger } from "./paging.ts";

/** GET /ledgers/{sequence}. */
export const horizonLedgerJson = (
  { header, hash, transactions }: HorizonLedger,
  origin: string,
): LedgerJson => {
  const { sequence } = header;
  const path = `/ledgers/${sequence}`;
  const good = transactions.filter(({ result }) => isResultOfSuccess(result));
  const count = (records: typeof transactions): number =>
    records.reduce((sum, { submission }) => sum + submission.transaction.operations.length, 0);
  return {
    _links: {
      self: linkTo(origin, path),
      transactions: linkToList(origin, `${path}/transactions`),
      operations: linkToList(origin, `${path}/operations`),
      payments: linkToList(origin, `${path}/payments`),
    },
    id: bytesToHex(hash),
    paging_token: placeOfLedger(sequence).toString(),
    hash: bytesToHex(hash),
    ...(sequence > 1 && { prev_hash: bytesToHex(header.previous) }),
    sequence,
    successful_transaction_count: good.length,
    failed_transaction_count: transactions.length - good.length,
    operation_count: count(good),
    tx_set_operation_count: count(transactions),
    closed_at: timeText(header.value.closedAt),
    total_coins: amountText(header.totalCoins),
    fee_pool: amountText(header.feePool),
    base_fee_in_stroops: header.baseFee,
    base_reserve_in_stroops: header.baseReserve,
    max_tx_set_size: header.mostOperations,
    protocol_version: header.version,
    header_xdr: toBase64(encodeXdr(xdrLedgerHeader, header)),
  };
};
