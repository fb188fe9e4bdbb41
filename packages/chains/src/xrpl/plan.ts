import { type Act, ok, type Result } from "@conclave/custody";
import { XRPL_CONTENT } from "./content.ts";
import type { XrplDraft } from "./transaction.ts";

/** The amount, with its receiver. */
export interface XrplPayment {
  readonly to: string;
  /** drops */
  readonly amount: bigint;
  readonly destinationTag: number | undefined;
}

/** The plan to build: a payment, whose frame the builder chooses, or given bytes. */
export type XrplPlan =
  | { readonly kind: "payment"; readonly payment: XrplPayment }
  | {
      readonly kind: "exact";
      readonly payment: XrplPayment;
      readonly unsigned: Uint8Array;
      readonly draft: XrplDraft;
    };

/** @returns TransactionMismatch, or TransactionUnreadable when the authorised content cannot be read */
export const xrplPlan = (act: Act): Result<XrplPlan> => {
  const asked = XRPL_CONTENT.askedOf(act);
  if (!asked.ok) return asked;
  if (asked.value.kind === "exact") return ok({ ...asked.value, payment: asked.value.draft });
  const { to, amount, tag: destinationTag } = asked.value.transfer;
  return ok({ kind: "payment", payment: { to, amount: BigInt(amount), destinationTag } });
};
