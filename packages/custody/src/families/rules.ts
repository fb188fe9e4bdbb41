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
 * The asset that a transfer moves, ready to be authorised, and its description as far as it is known without
 * a query to the chain.
 */
export interface JudgedTransfer {
  /** as the family encodes it */
  readonly transfer: FamilyContent;
  readonly asset: Asset;
  /** the token whose description only the chain has; undefined when `asset` is complete */
  readonly token: string | undefined;
}

/** The rules of a chain family for requests and views. All of it is pure. */
export interface FamilyRules extends AddressSpelling {
  readonly name: NetworkFamily;
  /** the formats of its wallets' keys, the default first */
  readonly keyFormats: readonly KeyFormat[];
  /**
   * Whether signed bytes name their chain. Those of Bitcoin name coins and scripts, of the XRP Ledger an
   * account and its Sequence, of Solana and TRON a block's hash or a part of it; none of these shows the
   * chain to a reader that has no node.
   */
  readonly namesChain: boolean;
  /** whether callers may say how fast a transaction is to land: where fees are estimated (service interface, transfer rule 1) */
  readonly takesPriority?: boolean;
  /** whether a transfer may have a memo (service interface, transfer rule 2) */
  readonly takesMemo?: boolean;
  /** the supported kinds of transfer on its networks */
  readonly transferKinds: readonly TransferKind[];
  /**
   * Judges a transfer of one of these kinds.
   * @param sender the wallet's address
   * @returns AddressInvalid, AddressChecksum, AmountInvalid, TokenIdInvalid, MemoInvalid or TransferKindNotSupported
   */
  judgeTransfer(network: Network, body: TransferBody, sender: string): Result<JudgedTransfer>;
  /**
   * Judges, without the chain, whether anybody could use the asset at the recipient: refuses addresses whose
   * key nobody has, and the token's own address. Absent in families without such addresses.
   * @param transfer as `judgeTransfer` returned it
   * @returns RecipientUnsuitable
   */
  judgeRecipient?(network: Network, transfer: FamilyContent): Result<void>;
  /**
   * Judges a transaction. Accepts bytes that the caller built unread: the signing reader reads them.
   * @param sender the wallet's address
   * @param publicKey the wallet's, lower-case hex, for families whose bytes hold it
   * @returns the transaction as the family encodes it; TransactionKindNotSupported, or a refusal of its
   * content
   */
  judgeTransaction(
    network: Network,
    body: TransactionBody,
    sender: string,
    publicKey: string | undefined,
  ): Result<FamilyContent>;
  /**
   * Judges content to sign and not broadcast, where a family can read it; hashes and messages for Ed25519
   * keys are judged elsewhere.
   * @param network undefined when the request is made on the key itself and names no network
   * @param publicKey the key's, lower-case hex, for families whose bytes hold it
   * @returns the content as the family encodes it; SignatureKindNotSupported, InvalidBody, or a refusal of
   * its content
   */
  judgeContent(
    network: Network | undefined,
    body: SignatureBody,
    publicKey: string | undefined,
  ): Result<FamilyContent>;
  /**
   * Whether a chain of the family accepts a signature of these bytes as the account's consent, as for a
   * transaction: then no key signs them unread as a message (INV-3).
   */
  takesForConsent(message: Uint8Array): boolean;
  /**
   * Whether a chain of the family might accept the bytes as consent, which the bytes do not show, as with a
   * bare digest: then no key of a wallet on its networks signs them as a message. Absent where transactions
   * are recognisable.
   */
  mayTakeForConsent?(message: Uint8Array): boolean;
  /**
   * Judges the id of a transaction that a caller names.
   * @returns the id as the family's node spells it, or TransactionIdInvalid
   */
  judgeTransactionId(text: string): Result<string>;
  /** whether clients expect the recovery id (27 or 28) behind r and s of an ECDSA signature */
  readonly encodesRecovery: boolean;
  /** the decimals of its networks' native coins */
  readonly nativeDecimals: number;
  /** The native coin of one of its networks; empty where unknown. */
  nativeAsset(network: Network): Asset;
  /**
   * True where transactions spend outputs of earlier ones, so that two of one account may spend the same
   * output: then builders receive those that are still alive, and histories show a UtxoTransfer.
   */
  readonly spendsCoins?: boolean;
  /**
   * Judges an address that is to be watched. Absent in families whose blocks do not show who paid: coins that a
   * transaction spends may be of several addresses.
   * @returns the address as the family's node names it; AddressInvalid or AddressChecksum
   */
  judgeWatched?(address: string): Result<string>;
  /**
   * Spells the token of a transfer as the family's node does; undefined for the native coin. Absent in
   * families without tokens.
   */
  tokenOf?(moved: TransferBody): string | undefined;
  /** Shows the token of a holding. */
  showToken(token: string): TokenView;
  /** Shows a transfer of a token in a history; undefined for kinds that the family does not support. */
  showMovement(body: TransferBody, asset: Asset): MovementView | undefined;
  /** examples for the API's document */
  readonly examples: FamilyExamples;
}

/** All families. A value, so that a test can add one. */
export interface FamilyTable {
  /** @returns undefined for a family that is not built */
  find(family: NetworkFamily): FamilyRules | undefined;
}

/**
 * Whether a signature for one network may be valid on the other, as on a family's main and test networks. A
 * key has wallets on only one of such networks, since policies on one would not see the other.
 */
export const sharesTransactions = (families: FamilyTable, one: Network, other: Network): boolean =>
  one === other || (familyOf(one) === familyOf(other) && families.find(familyOf(one))?.namesChain === false);
