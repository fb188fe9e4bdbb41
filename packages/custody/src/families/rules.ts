import type { FamilyContent } from "../authorisation/family-content.ts";
import type { TransactionBody } from "../chain-request/transaction-body.ts";
import type { TransferBody } from "../chain-request/transfer-body.ts";
import type { Result } from "../errors.ts";
import type { KeyFormat } from "../key/key-format.ts";
import { type Asset, familyOf, type Network, type NetworkFamily, type TransferKind } from "../network.ts";
import type { SignatureBody } from "../signature/signature-body.ts";
import type { AddressSpelling } from "./address-keys.ts";
import type { FamilyExamples } from "./examples.ts";
import type { MovementView, TokenView } from "./views.ts";

/**
 * The asset that a transfer moves, ready to be authorised, and the asset as far as it is known without asking
 * the chain.
 */
export interface JudgedTransfer {
  /** as the family writes it */
  readonly transfer: FamilyContent;
  readonly asset: Asset;
  /** the token whose description stands on the chain alone; undefined when `asset` is all there is to know */
  readonly token: string | undefined;
}

/** The rules of a chain family for requests and views. All of it is pure. */
export interface FamilyRules extends AddressSpelling {
  readonly name: NetworkFamily;
  /** the formats of its wallets' keys, the usual one first */
  readonly keyFormats: readonly KeyFormat[];
  /**
   * Whether signed bytes name their chain. Bitcoin's name coins and scripts, those of the XRP Ledger an account and its
   * Sequence, those of Solana and TRON a block by its hash or a part of it, which nobody can place without the chain.
   */
  readonly namesChain: boolean;
  /** whether callers may say how fast a transaction is to land: where fees are estimated (service interface, transfer rule 1) */
  readonly takesPriority?: boolean;
  /** whether a transfer may have a memo (service interface, transfer rule 2) */
  readonly takesMemo?: boolean;
  /** the kinds of transfer that are carried out on its networks */
  readonly transferKinds: readonly TransferKind[];
  /**
   * Judges a transfer of one of these kinds.
   * @param sender the wallet's address
   * @returns AddressInvalid, AddressChecksum, AmountInvalid, TokenIdInvalid, MemoInvalid or TransferKindNotSupported
   */
  judgeTransfer(network: Network, body: TransferBody, sender: string): Result<JudgedTransfer>;
  /**
   * Judges, without the chain, whether anybody could use what a transfer moves: the recipient is no address that nobody has the key
   * of, and not the token itself. Families without such addresses have none.
   * @param transfer as `judgeTransfer` gave it
   * @returns RecipientUnsuitable
   */
  judgeRecipient?(network: Network, transfer: FamilyContent): Result<void>;
  /**
   * Judges a transaction. Bytes that the caller built are taken as they are: reading them is the reader's.
   * @param sender the wallet's address
   * @param publicKey the wallet's, lower-case hex, for families whose bytes hold it
   * @returns the transaction as the family writes it; TransactionKindNotSupported, or what is wrong with it
   */
  judgeTransaction(
    network: Network,
    body: TransactionBody,
    sender: string,
    publicKey: string | undefined,
  ): Result<FamilyContent>;
  /**
   * Judges what a key shall sign and not send, as far as a family can read it: a hash is none of it, nor is the message of
   * an Ed25519 key.
   * @param network undefined when the key itself is asked and names none
   * @param publicKey the key's, lower-case hex, for families whose bytes hold it
   * @returns the content as the family writes it; SignatureKindNotSupported, InvalidBody, or what is wrong with it
   */
  judgeContent(
    network: Network | undefined,
    body: SignatureBody,
    publicKey: string | undefined,
  ): Result<FamilyContent>;
  /**
   * Whether a chain of the family takes a signature of these very bytes for its account's consent, as for a transaction: then
   * they are no message that anybody may have signed unread (INV-3).
   */
  takesForConsent(message: Uint8Array): boolean;
  /**
   * Whether a chain of the family may take them for it and nobody can tell, as of a bare digest: then no key of a wallet on one
   * of its networks signs them as a message. A family whose transactions show what they are has no such bytes.
   */
  mayTakeForConsent?(message: Uint8Array): boolean;
  /** whether clients expect the recovery id (27 or 28) behind r and s of an ECDSA signature */
  readonly encodesRecovery: boolean;
  /** how its networks divide their native coins */
  readonly nativeDecimals: number;
  /** The native coin of one of its networks; empty where it is not known. */
  nativeAsset(network: Network): Asset;
  /**
   * True where transactions spend outputs of earlier ones, so that two of one account may want the same: then builders are
   * handed those that are alive, and histories show a UtxoTransfer.
   */
  readonly spendsCoins?: boolean;
  /** Spells the token that a transfer moves as the family's node does; undefined of the native coin. Absent in families without tokens. */
  tokenOf?(moved: TransferBody): string | undefined;
  /** Shows which token a holding is of. */
  showToken(token: string): TokenView;
  /** Shows a transfer of a token in a history; undefined for kinds that the family does not carry out. */
  showMovement(body: TransferBody, asset: Asset): MovementView | undefined;
  /** its examples for the API's document */
  readonly examples: FamilyExamples;
}

/** The families that there are. A value, so that a test can hand in a further one. */
export interface FamilyTable {
  /** @returns undefined when the family is not built */
  find(family: NetworkFamily): FamilyRules | undefined;
}

/**
 * Whether what is signed for one network may be valid on the other, such as on a family's main and test network. A key has
 * wallets on one of them alone, for policies on one would not see the other.
 */
export const sharesTransactions = (families: FamilyTable, one: Network, other: Network): boolean =>
  one === other || (familyOf(one) === familyOf(other) && families.find(familyOf(one))?.namesChain === false);
