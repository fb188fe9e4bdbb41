import { bytesToHex } from "@noble/curves/utils.js";
import type { TransferToRead } from "../exact-bytes/exact-reading.ts";
import { type Mismatch, mustEqual } from "../mismatch.ts";
import type { SolanaInstruction } from "./message/instruction.ts";
import { parseRequestMemo, requestTagOf } from "./request-tag.ts";
import type { SolanaTransfer } from "./rules/act.ts";
import { associatedAccount } from "./token/associated-account.ts";
import { encodeSolana, type SolanaDraft } from "./transaction.ts";
import { transferDraft } from "./transfer-form.ts";

const NOTHING = "none";

type Of<Kind> = Extract<SolanaInstruction, { readonly kind: Kind }>;

const only = <Kind extends SolanaInstruction["kind"]>(
  { instructions }: SolanaDraft,
  kind: Kind,
): Of<Kind> | undefined =>
  instructions.find((instruction): instruction is Of<Kind> => instruction.kind === kind);

/** Whom a payment goes to, as the transfer would write it. */
const destinationOf = (transfer: SolanaTransfer): string =>
  transfer.kind === "Native"
    ? transfer.to
    : associatedAccount({ kind: transfer.kind, mint: transfer.mint }, transfer.to);

type Payment = Of<"payment"> | Of<"tokenPayment">;

const paymentMismatch = (from: string, payment: Payment, transfer: SolanaTransfer): Mismatch | undefined => {
  const isToken = payment.kind === "tokenPayment";
  return (
    mustEqual("kind", isToken ? payment.token : "Native", transfer.kind) ??
    mustEqual(
      "mint",
      isToken ? payment.mint : NOTHING,
      transfer.kind === "Native" ? NOTHING : transfer.mint,
    ) ??
    mustEqual("from", from, transfer.from) ??
    mustEqual("to", isToken ? payment.destination : payment.to, destinationOf(transfer)) ??
    mustEqual("amount", payment.amount, transfer.amount)
  );
};

/** A token account is made for the recipient alone, and only where that was asked for. */
const creationMismatch = (
  made: Of<"creation"> | undefined,
  transfer: SolanaTransfer,
): Mismatch | undefined =>
  made === undefined
    ? undefined
    : mustEqual(
        "createDestinationAccount",
        "true",
        String(transfer.kind !== "Native" && transfer.createDestinationAccount),
      );

/**
 * A transfer, field for field; its memo has the tag of its request, so that no two requests are one transaction
 * (INV-4). The rest, which nobody authorised, is put into the transfer's one form, and that must give the very
 * same bytes: there is no instruction beside, no other order, no account more.
 */
export const solanaTransferMismatch = ({
  unsigned,
  draft,
  transfer,
  requestId,
}: TransferToRead<unknown, SolanaTransfer, SolanaDraft>): Mismatch | undefined => {
  const payment = only(draft, "payment") ?? only(draft, "tokenPayment");
  if (payment === undefined) return { field: "kind", is: NOTHING, authorised: transfer.kind };
  const memo = parseRequestMemo(only(draft, "memo")?.text ?? "");
  const mismatch =
    paymentMismatch(draft.from, payment, transfer) ??
    creationMismatch(only(draft, "creation"), transfer) ??
    mustEqual("tag", memo?.tag ?? NOTHING, requestTagOf(requestId));
  if (mismatch !== undefined || memo === undefined) return mismatch;
  const form = encodeSolana(
    transferDraft(transfer, {
      blockhash: draft.blockhash,
      memo,
      units: only(draft, "computeLimit")?.units ?? 0,
      price: only(draft, "computePrice")?.price,
      decimals: payment.kind === "tokenPayment" ? payment.decimals : 0,
      creates: only(draft, "creation") !== undefined,
    }),
  );
  return mustEqual("form", bytesToHex(unsigned), bytesToHex(form));
};
