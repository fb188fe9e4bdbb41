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

/** The address that a payment for this transfer must pay. */
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

/** The transaction may create a token account only for the recipient, and only if the transfer asks for it. */
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
 * Compares a transfer field by field. Its memo must have the request's tag, so that two requests never share one transaction
 * (INV-4). The fields that nobody authorised are then put into the transfer's canonical form, which must give the same bytes:
 * no further instruction or account, and no other order.
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
