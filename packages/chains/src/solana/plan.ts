import { type Act, ok, type Result } from "@conclave/custody";
import { SOLANA_CONTENT } from "./content.ts";
import { requestTagOf } from "./request-tag.ts";
import type { SolanaTransfer } from "./rules/act.ts";
import type { SolanaDraft } from "./transaction.ts";

/** The plan to build: a transfer, whose frame the builder chooses, or given bytes. */
export type SolanaPlan =
  | { readonly kind: "transfer"; readonly transfer: SolanaTransfer; readonly tag: string }
  | { readonly kind: "exact"; readonly unsigned: Uint8Array; readonly draft: SolanaDraft };

/** @returns TransactionMismatch, or TransactionUnreadable when the authorised content cannot be read */
export const solanaPlan = (act: Act): Result<SolanaPlan> => {
  const asked = SOLANA_CONTENT.askedOf(act);
  if (!asked.ok) return asked;
  if (asked.value.kind === "exact") return ok(asked.value);
  const { transfer, requestId } = asked.value;
  return ok({ kind: "transfer", transfer, tag: requestTagOf(requestId) });
};
