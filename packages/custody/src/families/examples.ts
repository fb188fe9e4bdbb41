import type { TransactionBody } from "../chain-request/transaction-body.ts";
import type { TransferBody } from "../chain-request/transfer-body.ts";
import type { SignatureBody } from "../signature/signature-body.ts";

/**
 * The account of examples that hold one in their bytes: its key, or the key's hash, is that of the point that BIP-341 names because nobody
 * knows its secret. A caller who tries an example puts their own account in its place.
 */
export const SAMPLE_ACCOUNT = "50929b74c1a04953b78b4b6035e97a5e078a5a0f28ec96d547bfee9ace803ac0";
/** The same on networks whose accounts are of 20 bytes. */
export const SAMPLE_SHORT_ACCOUNT: string = SAMPLE_ACCOUNT.slice(0, 40);

/** Requests of a family as they may be sent: addresses that check, amounts that parse. The API's document shows them. */
export interface FamilyExamples {
  /** a network on which they are good */
  readonly network: string;
  /** one of each kind that is carried out, the native coin first; by what they show */
  readonly transfers: Readonly<Record<string, TransferBody>>;
  /** templates that any wallet may send */
  readonly transactions: Readonly<Record<string, TransactionBody>>;
  /** contents that may be signed and not sent; bytes that name an account name `SAMPLE_ACCOUNT` */
  readonly signatures: Readonly<Record<string, SignatureBody>>;
  /** bytes of the caller's own making: what they look like. Each is made for its moment, and this one's has passed */
  readonly unsigned?: Extract<TransactionBody, { readonly kind: "Transaction" | "Psbt" }>;
  /** the scheme of the key that signs those, where it is not the one that the network's wallets have unless it is said */
  readonly scheme?: "Schnorr";
}
