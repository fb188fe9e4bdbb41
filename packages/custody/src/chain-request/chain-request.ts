import type { SignedAuthorisation } from "../authorisation/signed-authorisation.ts";
import type { DomainEvent } from "../event.ts";
import type { OrganisationId, TransactionId, TransferId, WalletId } from "../identifiers.ts";
import type { Asset, Network } from "../network.ts";
import type { PolicyDecision } from "../policies/policy-decision.ts";
import type { Requester } from "../requester.ts";
import type { TransactionRequestBody } from "./transaction-body.ts";
import type { TransferBody } from "./transfer-body.ts";

export const CHAIN_REQUEST_STATUSES = [
  "Pending",
  "Executing",
  "Broadcasted",
  "Confirmed",
  "Failed",
  "Rejected",
] as const;
export type ChainRequestStatus = (typeof CHAIN_REQUEST_STATUSES)[number];

/** How a transaction was made, as the API shows it: account nonce, gas and fees. Its fields depend on the chain. */
export type TransactionDetails = Readonly<Record<string, unknown>>;

/** The fields of every request to a chain, from acceptance to its end. Dates are ISO 8601 UTC. */
interface ChainRequestFacts {
  readonly orgId: OrganisationId;
  readonly walletId: WalletId;
  readonly network: Network;
  readonly requester: Requester;
  readonly externalId: string | undefined;
  readonly status: ChainRequestStatus;
  /** why it failed, or for what it waits */
  readonly reason: string | undefined;
  /** the approval that it waits or waited for */
  readonly approvalId: string | undefined;
  /** undefined while it waits for an approval, and when it was rejected */
  readonly policyDecision: PolicyDecision | undefined;
  /** undefined until there is a decision: the authority does not sign before (INV-8) */
  readonly authorisation: SignedAuthorisation | undefined;
  /** the request whose place this one takes: at most one of the two lands (INV-4) */
  readonly replacesId: ChainRequestId | undefined;
  /** whether the service made it, to raise the fee of the request that it replaces */
  readonly isFeeBump: boolean;
  /** whether the service made it, to gather coins of the wallet; its requester allowed that */
  readonly isGathering: boolean;
  /** the request that takes this one's place */
  readonly replacementId: TransactionId | undefined;
  /**
   * place among the transactions of its account, in families that count them; set together with the unsigned
   * transaction, before a signer signs
   */
  readonly sequence: bigint | undefined;
  /** which other transactions the built one excludes, as its family encodes it (INV-4) */
  readonly exclusion: Uint8Array | undefined;
  readonly unsignedTransaction: Uint8Array | undefined;
  readonly details: TransactionDetails | undefined;
  /** stored before it is broadcast, so that after a crash the same bytes are broadcast again (INV-4) */
  readonly signedTransaction: Uint8Array | undefined;
  /** how many earlier transactions signers signed for it that were found dead; they stay on record */
  readonly deadTransactions: number;
  readonly txHash: string | undefined;
  readonly blockNumber: bigint | undefined;
  readonly blockHash: string | undefined;
  /** the fee that was paid, in the smallest unit of the native coin, as digits */
  readonly fee: string | undefined;
  readonly dateRequested: string;
  readonly datePolicyResolved: string | undefined;
  readonly dateBroadcasted: string | undefined;
  /** date of the block that confirmed it; when it was seen confirmed, where the node gives no date */
  readonly dateConfirmed: string | undefined;
  /** when its owner aborted it: the authority signs nothing more for it, whatever its status */
  readonly dateAborted: string | undefined;
  /** when it was confirmed or failed on the chain: a reorganisation soon after may still undo that */
  readonly dateSettled: string | undefined;
}

/** The fields of a request before any work on it. */
export const UNTOUCHED = {
  isFeeBump: false,
  isGathering: false,
  replacementId: undefined,
  sequence: undefined,
  exclusion: undefined,
  deadTransactions: 0,
  unsignedTransaction: undefined,
  details: undefined,
  signedTransaction: undefined,
  txHash: undefined,
  blockNumber: undefined,
  blockHash: undefined,
  fee: undefined,
  dateBroadcasted: undefined,
  dateConfirmed: undefined,
  dateAborted: undefined,
  dateSettled: undefined,
} as const satisfies Partial<ChainRequestFacts>;

/** One request to move an asset. */
export interface Transfer extends ChainRequestFacts {
  readonly kind: "Transfer";
  readonly id: TransferId;
  readonly requestBody: TransferBody;
  readonly metadata: { readonly asset: Asset };
}

/** One request to broadcast a transaction that the caller made, or to replace a waiting one. */
export interface Transaction extends ChainRequestFacts {
  readonly kind: "Transaction";
  readonly id: TransactionId;
  readonly requestBody: TransactionRequestBody;
}

export type ChainRequest = Transfer | Transaction;
export type ChainRequestId = TransferId | TransactionId;

interface Inclusion {
  readonly fee: string;
  readonly blockNumber: bigint;
  readonly blockHash: string;
}

interface BuiltBytes {
  readonly sequence: bigint | undefined;
  readonly exclusion: Uint8Array;
  readonly unsignedTransaction: Uint8Array;
  readonly details: TransactionDetails;
}

export type ChainRequestEvent =
  /** approved: from now on signers may sign it */
  | {
      readonly kind: "Authorised";
      readonly authorisation: SignedAuthorisation;
      readonly decision: PolicyDecision;
      readonly date: string;
    }
  /** a policy blocked it, or its approval was denied */
  | { readonly kind: "Rejected"; readonly date: string; readonly reason: string }
  /** its owner aborted it before a signer signed */
  | { readonly kind: "Aborted"; readonly date: string; readonly reason: string }
  /** work begins: Pending → Executing */
  | { readonly kind: "Begun" }
  /** the unsigned transaction was built, or built again with other fees in the same place */
  | ({ readonly kind: "Built" } & BuiltBytes)
  /**
   * signers signed this transaction for the request before, which the database did not know: it replaces the
   * unsigned bytes on record, and may have another place
   */
  | ({ readonly kind: "Adopted" } & BuiltBytes)
  /** work cannot go on yet, for example because too few signers are live; undefined removes an earlier reason */
  | { readonly kind: "Waiting"; readonly reason: string | undefined }
  /** the rules of the chain's node refuse the signed bytes at any time; its details say so */
  | { readonly kind: "RefusedForGood"; readonly reason: string }
  /** it has waited for many blocks; the reason says why its fee is not raised */
  | { readonly kind: "NotBumped"; readonly reason: string }
  /** the unsigned transaction was signed: it must be the one on record */
  | {
      readonly kind: "Signed";
      readonly unsignedTransaction: Uint8Array;
      readonly signedTransaction: Uint8Array;
      readonly txHash: string;
    }
  /**
   * the same unsigned bytes are on the chain under another signature and so another hash: signers may sign
   * them twice
   */
  | { readonly kind: "LandedAs"; readonly signedTransaction: Uint8Array; readonly txHash: string }
  /** another version of it is on the chain, in the place of the recorded one, which can never land */
  | ({
      readonly kind: "LandedVersion";
      readonly signedTransaction: Uint8Array;
      readonly txHash: string;
    } & BuiltBytes)
  /** a node accepted the signed bytes: Executing → Broadcasted */
  | { readonly kind: "Broadcasted"; readonly date: string }
  /** the authority says that the signed transaction can no longer land: the service builds another one */
  | { readonly kind: "Died" }
  /** another request takes its place from now on */
  | { readonly kind: "Replaced"; readonly by: TransactionId }
  /** the request that took its place ended before it was signed */
  | { readonly kind: "Reinstated"; readonly from: TransactionId }
  /**
   * @param date when the service saw it confirmed
   * @param blockDate ISO 8601 UTC: the date of its block, where the node gives one
   * @param arrived smallest unit, digits: the sum that reached the recipient, where it differs from the
   * amount
   */
  | ({
      readonly kind: "Confirmed";
      readonly date: string;
      readonly blockDate?: string;
      readonly arrived?: string;
    } & Inclusion)
  /** a reorganisation removed the transaction from the chain: Confirmed or Failed → Broadcasted */
  | { readonly kind: "Reorganised"; readonly date: string }
  /** it cannot be carried out, or it failed when the chain executed it and has cost a fee */
  | {
      readonly kind: "Failed";
      readonly date: string;
      readonly reason: string;
      readonly inclusion?: Inclusion;
    };

export interface ChainRequestDecision<R extends ChainRequest> {
  readonly request: R;
  readonly events: readonly DomainEvent[];
}
