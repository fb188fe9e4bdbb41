import { type Act, ok, type Result, type SolanaTransfer } from "@conclave/custody";
import { hexToBytes } from "@noble/curves/utils.js";
import { parseSolanaTransaction, parseSolanaTransfer } from "./parse-content.ts";
import { requestTagOf } from "./request-tag.ts";
import { decodeSolana, type SolanaDraft } from "./transaction.ts";

/** The plan to build: a transfer in a frame of the moment, or given bytes. */
export type SolanaPlan =
  | { readonly kind: "transfer"; readonly transfer: SolanaTransfer; readonly tag: string }
  | { readonly kind: "exact"; readonly unsigned: Uint8Array; readonly draft: SolanaDraft };

/** @returns TransactionMismatch, TransactionUnreadable for what is authorised and cannot be read */
export const solanaPlan = (act: Act): Result<SolanaPlan> => {
  if (act.kind === "transfer") {
    const transfer = parseSolanaTransfer(act.transfer);
    return transfer.ok
      ? ok({ kind: "transfer", transfer: transfer.value, tag: requestTagOf(act.requestId) })
      : transfer;
  }
  const transaction = parseSolanaTransaction(act.transaction);
  if (!transaction.ok) return transaction;
  const unsigned = hexToBytes(transaction.value.unsigned);
  const decoded = decodeSolana(unsigned);
  return decoded.ok ? ok({ kind: "exact", unsigned, draft: decoded.value }) : decoded;
};
