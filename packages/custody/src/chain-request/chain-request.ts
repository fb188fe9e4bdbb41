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

/** How a transaction was made, as clients are shown it: account nonce, gas and fees; its form is the chain's. */
export type TransactionDetails = Readonly<Record<string, unknown>>;

/** The fields of every request to a chain, from acceptance to its end. Dates are ISO 8601 UTC. */
interface ChainRequestFacts {
  readonly orgId: OrganisationId;
  readonly walletId: WalletId;
  readonly network: Network;
  readonly requester: Requester;
  readonly externalId: string | undefined;
  readonly status: ChainRequestStatus;
  /** why it failed, or what it waits for */
  readonly reason: string | undefined;
  /** the approval that it waits or waited for */
  readonly approvalId: string | undefined;
  /** undefined while it waits for an approval, and when it was rejected */
  readonly policyDecision: PolicyDecision | undefined;
  /** undefined as long as there is no decision: the authority signs nothing before (INV-8) */
  readonly authorisation: SignedAuthorisation | undefined;
  /** the request whose place this one takes: at most one of the two lands (INV-4) */
  readonly replacesId: ChainRequestId | undefined;
  /** whether the service made it by itself, to raise the fee of the request that it replaces */
  readonly isFeeBump: boolean;
  /** whether the service made it by itself, to gather coins of the wallet; its requester allowed that */
  readonly isGathering: boolean;
  /** the request that takes this one's place */
  readonly replacementId: TransactionId | undefined;
  /**
   * place among the transactions of its account, in families that count them; set with the unsigned transaction, before
   * anything is signed
   */
  readonly sequence: bigint | undefined;
  /** which other transactions the built one excludes, as its family writes it (INV-4) */
  readonly exclusion: Uint8Array | undefined;
  readonly unsignedTransaction: Uint8Array | undefined;
  readonly details: TransactionDetails | undefined;
  /** stored before it is broadcast: after a crash these very bytes go out again (INV-4) */
  readonly signedTransaction: Uint8Array | undefined;
  /** how many transactions were signed for it before this one and found dead; they stay on record */
  readonly deadTransactions: number;
  readonly txHash: string | undefined;
  readonly blockNumber: bigint | undefined;
  readonly blockHash: string | undefined;
  /** the fee really paid, in the smallest unit of the native coin, as digits */
  readonly fee: string | undefined;
  readonly dateRequested: string;
  readonly datePolicyResolved: string | undefined;
  readonly dateBroadcasted: string | undefined;
  /** when the chain made the block that confirmed it; where the node did not tell it, when it was seen confirmed */
  readonly dateConfirmed: string | undefined;
  /** when its owner took it back: nothing is authorised for it any more, whatever its status says */
  readonly dateAborted: string | undefined;
  /** when the chain settled it, confirmed or failed: a reorganisation soon after may still undo that */
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

/** One request to broadcast a transaction of the caller's own making, or to replace one that waits. */
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
  /** approved: from here on signers may sign it */
  | {
      readonly kind: "Authorised";
      readonly authorisation: SignedAuthorisation;
      readonly decision: PolicyDecision;
      readonly date: string;
    }
  /** a policy blocked it, or its approval was denied */
  | { readonly kind: "Rejected"; readonly date: string; readonly reason: string }
  /** its owner wants it no more, before anything was signed */
  | { readonly kind: "Aborted"; readonly date: string; readonly reason: string }
  /** work begins: Pending → Executing */
  | { readonly kind: "Begun" }
  /** the unsigned transaction is made, or made again with other fees in the same place */
  | ({ readonly kind: "Built" } & BuiltBytes)
  /**
   * signers have signed this for it before, of which the database knew nothing: it takes the place of what was built and not signed,
   * wherever its own place is
   */
  | ({ readonly kind: "Adopted" } & BuiltBytes)
  /** work cannot go on yet, as when too few signers are live; undefined takes an earlier reason away */
  | { readonly kind: "Waiting"; readonly reason: string | undefined }
  /** the rules of the chain's node refuse the signed bytes whenever they come: its details say so */
  | { readonly kind: "RefusedForGood"; readonly reason: string }
  /** it has waited for many blocks, and its fee is not raised: why */
  | { readonly kind: "NotBumped"; readonly reason: string }
  /** the unsigned transaction was signed: it must be the one on record */
  | {
      readonly kind: "Signed";
      readonly unsignedTransaction: Uint8Array;
      readonly signedTransaction: Uint8Array;
      readonly txHash: string;
    }
  /** the very same bytes are on the chain with another signature, and so under another hash: signers may sign them again */
  | { readonly kind: "LandedAs"; readonly signedTransaction: Uint8Array; readonly txHash: string }
  /** another version of it is on the chain, in the place of the one that was signed, which can never land */
  | ({
      readonly kind: "LandedVersion";
      readonly signedTransaction: Uint8Array;
      readonly txHash: string;
    } & BuiltBytes)
  /** a node took the signed bytes: Executing → Broadcasted */
  | { readonly kind: "Broadcasted"; readonly date: string }
  /** the signed transaction can no longer land, as the authority says: a further transaction is built */
  | { readonly kind: "Died" }
  /** another request takes its place from now on */
  | { readonly kind: "Replaced"; readonly by: TransactionId }
  /** that other request came to nothing before it was signed */
  | { readonly kind: "Reinstated"; readonly from: TransactionId }
  /**
   * @param date when it was seen
   * @param blockDate ISO 8601 UTC: when the chain made its block, where the node tells it
   * @param arrived smallest unit, digits: the sum that reached the recipient, where it is not the amount asked for
   */
  | ({
      readonly kind: "Confirmed";
      readonly date: string;
      readonly blockDate?: string;
      readonly arrived?: string;
    } & Inclusion)
  /** the transaction that settled it is no longer on the chain: Confirmed or Failed → Broadcasted */
  | { readonly kind: "Reorganised"; readonly date: string }
  /** it cannot be carried out, or the chain executed it and it failed there; then it has cost a fee */
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
