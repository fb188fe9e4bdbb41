import type { TransactionBody } from "../chain-request/transaction-body.ts";
import type { TransferBody } from "../chain-request/transfer-body.ts";
import type { SignatureBody } from "../signature/signature-body.ts";

/**
 * The account in examples whose bytes name one: its key, or the key's hash, is the point that BIP-341
 * specifies because nobody knows its secret. Callers who try an example replace it by their own account.
 */
export const SAMPLE_ACCOUNT = "50929b74c1a04953b78b4b6035e97a5e078a5a0f28ec96d547bfee9ace803ac0";
/** The same for networks whose accounts have 20 bytes. */
export const SAMPLE_SHORT_ACCOUNT: string = SAMPLE_ACCOUNT.slice(0, 40);

/** Sendable requests of a family: valid addresses and amounts. The API's document shows them. */
export interface FamilyExamples {
  /** a network on which they are valid */
  readonly network: string;
  /** one of each supported kind, the native coin first; keyed by what they show */
  readonly transfers: Readonly<Record<string, TransferBody>>;
  /** templates that any wallet may send */
  readonly transactions: Readonly<Record<string, TransactionBody>>;
  /** contents that are signed and not broadcast; an account in their bytes is `SAMPLE_ACCOUNT` */
  readonly signatures: Readonly<Record<string, SignatureBody>>;
  /**
   * bytes that a caller built, to show their format: such bytes are valid for a short time only, and these
   * have expired
   */
  readonly unsigned?: Extract<TransactionBody, { readonly kind: "Transaction" | "Psbt" }>;
  /** the scheme of the key that signs `unsigned`, where it is not the default scheme of the network's wallets */
  readonly scheme?: "Schnorr";
}
