import { type Act, type FamilyContent, ok, type Result } from "@conclave/custody";
import { hexToBytes } from "@noble/curves/utils.js";
import type { z } from "zod";
import { parseAuthorised } from "../mismatch.ts";
import type { ExactToSign, ExactTransaction } from "../rules/exact-act.ts";

/** The forms of a request in a family with exact-bytes transactions, and the family's decoder. */
export interface ExactForms<
  Transfer,
  Transaction extends ExactTransaction,
  ToSign extends ExactToSign,
  Draft,
> {
  readonly transfer: z.ZodType<Transfer>;
  readonly transaction: z.ZodType<Transaction>;
  readonly toSign: z.ZodType<ToSign>;
  /** Strict: it refuses any but the canonical encoding with TransactionUnreadable. */
  decode(unsigned: Uint8Array): Result<Draft>;
  /** Completes the bytes that a caller gave; if absent, they stay as they are. */
  complete?(given: Uint8Array, asked: Transaction | ToSign): Uint8Array;
}

/** The content of an act: a transfer, whose frame the builder chooses, or given bytes. */
export type ExactOrTransfer<Transfer, Draft> =
  | { readonly kind: "transfer"; readonly transfer: Transfer; readonly requestId: string }
  | { readonly kind: "exact"; readonly unsigned: Uint8Array; readonly draft: Draft };

/** The parsers for requests of such a family. Each parser returns TransactionMismatch for anything else. */
export interface ExactContent<
  Transfer,
  Transaction extends ExactTransaction,
  ToSign extends ExactToSign,
  Draft,
> {
  parseTransfer(content: FamilyContent): Result<Transfer>;
  parseTransaction(content: FamilyContent): Result<Transaction>;
  parseToSign(content: FamilyContent): Result<ToSign>;
  bytesToSend(transaction: Transaction): Uint8Array;
  bytesToSign(toSign: ToSign): Uint8Array;
  decode(unsigned: Uint8Array): Result<Draft>;
  /** The bytes that a caller built, for a transaction to send or only to sign. */
  givenBytes(content: FamilyContent): Uint8Array | undefined;
  /** @returns TransactionMismatch, or TransactionUnreadable when the authorised content cannot be read */
  askedOf(act: Act): Result<ExactOrTransfer<Transfer, Draft>>;
}

export const exactContent = <
  Transfer,
  Transaction extends ExactTransaction,
  ToSign extends ExactToSign,
  Draft,
>({
  transfer: transferSchema,
  transaction: transactionSchema,
  toSign: toSignSchema,
  decode,
  complete = (given) => given,
}: ExactForms<Transfer, Transaction, ToSign, Draft>): ExactContent<Transfer, Transaction, ToSign, Draft> => {
  const bytesToSend = (asked: Transaction) => complete(hexToBytes(asked.unsigned), asked);
  const bytesToSign = (asked: ToSign) => complete(hexToBytes(asked.transaction), asked);
  return {
    parseTransfer: (content) => parseAuthorised(transferSchema, content),
    parseTransaction: (content) => parseAuthorised(transactionSchema, content),
    parseToSign: (content) => parseAuthorised(toSignSchema, content),
    bytesToSend,
    bytesToSign,
    decode,
    givenBytes: (content) => {
      const sent = transactionSchema.safeParse(content);
      if (sent.success) return bytesToSend(sent.data);
      const alone = toSignSchema.safeParse(content);
      return alone.success ? bytesToSign(alone.data) : undefined;
    },
    askedOf: (act) => {
      if (act.kind === "transfer") {
        const transfer = parseAuthorised(transferSchema, act.transfer);
        return transfer.ok
          ? ok({ kind: "transfer", transfer: transfer.value, requestId: act.requestId })
          : transfer;
      }
      const transaction = parseAuthorised(transactionSchema, act.transaction);
      if (!transaction.ok) return transaction;
      const unsigned = bytesToSend(transaction.value);
      const decoded = decode(unsigned);
      return decoded.ok ? ok({ kind: "exact", unsigned, draft: decoded.value }) : decoded;
    },
  };
};
