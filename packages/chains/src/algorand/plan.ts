import { type Act, ok, type Result } from "@conclave/custody";
import { hexToBytes } from "@noble/curves/utils.js";
import { leaseOf } from "./lease.ts";
import { parseAlgorandTransaction, parseAlgorandTransfer } from "./parse-content.ts";
import { type AlgorandDraft, type AlgorandPayment, decodeAlgorand } from "./transaction.ts";

/** The plan to build: a payment in a frame of the moment, or given bytes. */
export type AlgorandPlan =
  | { readonly kind: "payment"; readonly payment: AlgorandPayment; readonly lease: Uint8Array }
  | {
      readonly kind: "exact";
      readonly payment: AlgorandPayment;
      readonly unsigned: Uint8Array;
      readonly draft: AlgorandDraft;
    };

/** @returns TransactionMismatch, TransactionUnreadable for what is authorised and cannot be read */
export const algorandPlan = (act: Act): Result<AlgorandPlan> => {
  if (act.kind === "transfer") {
    const transfer = parseAlgorandTransfer(act.transfer);
    if (!transfer.ok) return transfer;
    const { to, amount } = transfer.value;
    const moved = { to, amount: BigInt(amount) };
    const payment: AlgorandPayment =
      transfer.value.kind === "Asa"
        ? { type: "axfer", ...moved, assetId: BigInt(transfer.value.assetId) }
        : { type: "pay", ...moved };
    return ok({ kind: "payment", payment, lease: leaseOf(act.requestId) });
  }
  const transaction = parseAlgorandTransaction(act.transaction);
  if (!transaction.ok) return transaction;
  const unsigned = hexToBytes(transaction.value.unsigned);
  const decoded = decodeAlgorand(unsigned);
  return decoded.ok
    ? ok({ kind: "exact", payment: decoded.value.payment, unsigned, draft: decoded.value })
    : decoded;
};
