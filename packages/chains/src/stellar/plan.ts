import { type Act, ok, type Result } from "@conclave/custody";
import { STELLAR_CONTENT } from "./content.ts";
import type { StellarToken } from "./rules/asset.ts";
import type { StellarDraft } from "./transaction.ts";
import type { StellarMemo } from "./xdr/memo.ts";
import type { StellarOperation } from "./xdr/operation.ts";

/** The plan to build: a payment, whose frame the builder chooses, or given bytes. */
export type StellarPlan =
  | {
      readonly kind: "payment";
      readonly to: string;
      /** undefined: lumens */
      readonly token: StellarToken | undefined;
      readonly amount: bigint;
      readonly memo: StellarMemo;
    }
  | { readonly kind: "exact"; readonly unsigned: Uint8Array; readonly draft: StellarDraft };

/** @returns TransactionMismatch, or TransactionUnreadable when the authorised content cannot be read */
export const stellarPlan = (act: Act): Result<StellarPlan> => {
  const asked = STELLAR_CONTENT.askedOf(act);
  if (!asked.ok) return asked;
  if (asked.value.kind === "exact") return ok(asked.value);
  const { transfer } = asked.value;
  const { to, amount, memo = { kind: "none" } } = transfer;
  const token = transfer.kind === "Sep41" ? { code: transfer.assetCode, issuer: transfer.issuer } : undefined;
  return ok({ kind: "payment", to, token, amount: BigInt(amount), memo });
};

const otherPartyOf = (operation: StellarOperation): string =>
  operation.kind === "changeTrust" ? operation.token.issuer : operation.to;

/**
 * The other account that a plan depends on: the receiver, or the issuer of the asset to trust.
 * @returns undefined when the receiver is a contract
 */
export const counterpartyOf = (plan: StellarPlan): string | undefined => {
  const party = plan.kind === "payment" ? plan.to : otherPartyOf(plan.draft.operation);
  return party.startsWith("C") ? undefined : party;
};
