import type {
  Asset,
  AuthorisedTransaction,
  AuthorisedTransfer,
  Result,
  TransactionDetails,
} from "@conclave/custody";
import type { SignedTransaction } from "./evm/attach.ts";
import type { Priority } from "./evm/fees/fees.ts";
import type { FeeLevels } from "./evm/node/fee-levels.ts";
import type { AccountCount } from "./evm/node/situation.ts";
import type { RecoverableSignature } from "./evm/recover.ts";
import type { Network } from "./network.ts";

/** What the authority authorised. */
export type Act =
  | { readonly kind: "transfer"; readonly transfer: AuthorisedTransfer["transfer"] }
  | { readonly kind: "transaction"; readonly transaction: AuthorisedTransaction["transaction"] };

/** The place of a transaction among those of its account. */
export type Place =
  /** behind all others: the lowest account nonce that our own records leave free; the chain's count may be higher */
  | { readonly kind: "next"; readonly lowest: number }
  /** it was built before and is built again with the fees of now */
  | { readonly kind: "kept"; readonly nonce: number }
  /** in the place of one that waits, whose unsigned bytes these are: at most one of the two lands */
  | { readonly kind: "replacing"; readonly nonce: number; readonly earlier: Uint8Array };

/** What a transaction is made from. */
export interface TransactionIntent {
  /** the wallet's address */
  readonly sender: string;
  readonly act: Act;
  readonly priority: Priority | undefined;
  readonly place: Place;
}

export interface BuiltTransaction {
  readonly unsigned: Uint8Array;
  readonly nonce: number;
  readonly details: TransactionDetails;
}

/** What became of an attempt to broadcast. The same bytes may be sent any number of times (INV-4). */
export type BroadcastOutcome =
  /** the node has it, since now or since before */
  | { readonly kind: "accepted" }
  /** the account's nonce is used up: by this transaction, or by another one */
  | { readonly kind: "nonce-spent" }
  /** the node does not take it now, or does not answer; the very same bytes may be taken later */
  | { readonly kind: "refused"; readonly reason: string };

/** Where a transaction is. */
export type Sighting =
  | { readonly kind: "unknown" }
  /** in the node's pool, in no block yet */
  | { readonly kind: "waiting" }
  | {
      readonly kind: "included";
      readonly blockNumber: bigint;
      readonly blockHash: string;
      /** blocks from this one to the head, both included */
      readonly depth: number;
      /** smallest unit of the native coin: what was really paid */
      readonly fee: bigint;
      /** false when the chain executed it and undid its effects */
      readonly succeeded: boolean;
    };

/**
 * One network of one family, for whoever builds and sends. A new family implements this, and its own pure reader
 * for the signers (`evm/read.ts` is the pattern). Every call that asks the node answers ServiceUnavailable when the
 * node is away, which passes.
 */
export interface Chain {
  readonly network: Network;
  /** The account of a public key: 33 bytes, compressed. */
  addressOf(publicKey: Uint8Array): string;
  /**
   * Fees, nonce and limits of the moment, put into unsigned bytes.
   * @returns a refusal, such as InsufficientFunds or NonceUsed, when it is impossible as things stand
   */
  build(intent: TransactionIntent): Promise<Result<BuiltTransaction>>;
  /** Signed bytes and their hash; Internal when the signature is not the sender's. */
  attach(unsigned: Uint8Array, signature: RecoverableSignature, sender: string): Result<SignedTransaction>;
  broadcast(signed: Uint8Array): Promise<BroadcastOutcome>;
  sight(txHash: string): Promise<Result<Sighting>>;
  /**
   * Whether the account's nonce is used up by a transaction that lies as deep as the network's confirmations ask,
   * so that no other transaction with this nonce can land any more.
   */
  nonceSettled(sender: string, nonce: number): Promise<Result<boolean>>;
  /** How many transactions the account has sent. */
  count(sender: string): Promise<Result<AccountCount>>;
  /** What a token says of itself; empty when it says nothing. */
  describeToken(contract: string): Promise<Result<Asset>>;
  /** What an account holds of the native coin, in its smallest unit. */
  balance(owner: string): Promise<Result<bigint>>;
  /** What an account holds of a fungible token, in its smallest unit; undefined when the contract is no token. */
  tokenBalance(owner: string, contract: string): Promise<Result<bigint | undefined>>;
  /** Who owns a token that is one of a kind; undefined when nobody does. */
  tokenOwner(contract: string, tokenId: bigint): Promise<Result<string | undefined>>;
  /** What transactions cost now. */
  feeLevels(): Promise<Result<FeeLevels>>;
}
