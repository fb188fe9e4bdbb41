import type { TransactionBody } from "../chain-request/transaction-body.ts";
import type { TransferBody } from "../chain-request/transfer-body.ts";
import type { SignatureBody } from "../signature/signature-body.ts";

/** Requests of a family as they may be sent: addresses that check, amounts that parse. The API's document shows them. */
export interface FamilyExamples {
  /** a network on which they are good */
  readonly network: string;
  /** one of each kind that is carried out, the native coin first; by what they show */
  readonly transfers: Readonly<Record<string, TransferBody>>;
  /** templates that any wallet may send; bytes that name one account are nobody else's */
  readonly transactions: Readonly<Record<string, TransactionBody>>;
  readonly signatures: Readonly<Record<string, SignatureBody>>;
}
