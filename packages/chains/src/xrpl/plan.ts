import { type Act, ok, type Result } from "@conclave/custody";
import { bytesOfXrplTransaction, parseXrplTransaction, parseXrplTransfer } from "./parse-content.ts";
import { decodeXrpl, type XrplDraft } from "./transaction.ts";

/** The moved asset, and its receiver. */
export interface XrplPayment {
  readonly to: string;
  /** drops */
  readonly amount: bigint;
  readonly destinationTag: number | undefined;
}

/** The plan to build: a payment in a frame of the moment, or given bytes. */
export type XrplPlan =
  | { readonly kind: "payment"; readonly payment: XrplPayment }
  | {
      readonly kind: "exact";
      readonly payment: XrplPayment;
      readonly unsigned: Uint8Array;
      readonly draft: XrplDraft;
    };

/** @returns TransactionMismatch, TransactionUnreadable for what is authorised and cannot be read */
export const xrplPlan = (act: Act): Result<XrplPlan> => {
  if (act.kind === "transfer") {
    const transfer = parseXrplTransfer(act.transfer);
    if (!transfer.ok) return transfer;
    const { to, amount, tag: destinationTag } = transfer.value;
    return ok({ kind: "payment", payment: { to, amount: BigInt(amount), destinationTag } });
  }
  const transaction = parseXrplTransaction(act.transaction);
  if (!transaction.ok) return transaction;
  const unsigned = bytesOfXrplTransaction(transaction.value);
  const decoded = decodeXrpl(unsigned);
  return decoded.ok ? ok({ kind: "exact", payment: decoded.value, unsigned, draft: decoded.value }) : decoded;
};
