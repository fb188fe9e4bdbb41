import { type Act, ok, type Result } from "@conclave/custody";
import { ALGORAND_CONTENT } from "./content.ts";
import { leaseOf } from "./lease.ts";
import type { AlgorandDraft, AlgorandPayment } from "./transaction.ts";

/**
 * The plan to build: a payment, whose rounds, genesis and fee the builder fills in later, or the exact bytes
 * that the caller gave.
 */
export type AlgorandPlan =
  | { readonly kind: "payment"; readonly payment: AlgorandPayment; readonly lease: Uint8Array }
  | {
      readonly kind: "exact";
      readonly payment: AlgorandPayment;
      readonly unsigned: Uint8Array;
      readonly draft: AlgorandDraft;
    };

/** @returns TransactionMismatch, or TransactionUnreadable when the authorised content cannot be read */
export const algorandPlan = (act: Act): Result<AlgorandPlan> => {
  const asked = ALGORAND_CONTENT.askedOf(act);
  if (!asked.ok) return asked;
  if (asked.value.kind === "exact") return ok({ ...asked.value, payment: asked.value.draft.payment });
  const { transfer, requestId } = asked.value;
  const { to, amount } = transfer;
  const moved = { to, amount: BigInt(amount) };
  const payment: AlgorandPayment =
    transfer.kind === "Asa"
      ? { type: "axfer", ...moved, assetId: BigInt(transfer.assetId) }
      : { type: "pay", ...moved };
  return ok({ kind: "payment", payment, lease: leaseOf(requestId) });
};
