import type { SignedAuthorisation } from "../authorisation/signed-authorisation.ts";
import { fail, ok, type Result } from "../errors.ts";
import type { DomainEvent, EventKind } from "../event.ts";
import type { TransactionRequestBody } from "../families/evm/transaction-body.ts";
import type { OrganisationId, TransactionId, TransferId, WalletId } from "../identifiers.ts";
import type { Asset, Network } from "../network.ts";
import type { PolicyDecision } from "../policies/policy-decision.ts";
import type { Requester } from "../requester.ts";
import type { TransferBody } from "../requests.ts";
import { transactionView } from "./transaction-view.ts";
import { transferView } from "./transfer-view.ts";

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

/** What every request to a chain has, from acceptance to its end. Dates are ISO 8601 UTC. */
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
  /** the request whose account nonce this one takes: at most one of the two lands (INV-4) */
  readonly replacesId: ChainRequestId | undefined;
  /** the request that takes this one's account nonce */
  readonly replacementId: TransactionId | undefined;
  /** the sender's account nonce; set with the unsigned transaction, before anything is signed */
  readonly nonce: number | undefined;
  readonly unsignedTransaction: Uint8Array | undefined;
  readonly details: TransactionDetails | undefined;
  /** stored before it is broadcast: after a crash these very bytes go out again (INV-4) */
  readonly signedTransaction: Uint8Array | undefined;
  readonly txHash: string | undefined;
  readonly blockNumber: bigint | undefined;
  readonly blockHash: string | undefined;
  /** what was really paid, in the smallest unit of the native coin, as digits */
  readonly fee: string | undefined;
  readonly dateRequested: string;
  readonly datePolicyResolved: string | undefined;
  readonly dateBroadcasted: string | undefined;
  readonly dateConfirmed: string | undefined;
  /** when the chain settled it, confirmed or failed: a reorganisation soon after may still undo that */
  readonly dateSettled: string | undefined;
}

/** What a request has when nothing was done for it yet. */
export const UNTOUCHED = {
  replacementId: undefined,
  nonce: undefined,
  unsignedTransaction: undefined,
  details: undefined,
  signedTransaction: undefined,
  txHash: undefined,
  blockNumber: undefined,
  blockHash: undefined,
  fee: undefined,
  dateBroadcasted: undefined,
  dateConfirmed: undefined,
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
  /** the unsigned transaction is made, or made again with other fees under the same nonce */
  | {
      readonly kind: "Built";
      readonly nonce: number;
      readonly unsignedTransaction: Uint8Array;
      readonly details: TransactionDetails;
    }
  /** work cannot go on yet, as when too few signers are live; undefined takes an earlier reason away */
  | { readonly kind: "Waiting"; readonly reason: string | undefined }
  | { readonly kind: "Signed"; readonly signedTransaction: Uint8Array; readonly txHash: string }
  /** a node took the signed bytes: Executing → Broadcasted */
  | { readonly kind: "Broadcasted"; readonly date: string }
  /** another request takes its account nonce from now on */
  | { readonly kind: "Replaced"; readonly by: TransactionId }
  /** that other request came to nothing before it was signed */
  | { readonly kind: "Reinstated"; readonly from: TransactionId }
  | ({ readonly kind: "Confirmed"; readonly date: string } & Inclusion)
  /** what settled it is no longer on the chain: Confirmed or Failed → Broadcasted */
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

const FROM: Readonly<Record<ChainRequestEvent["kind"], readonly ChainRequestStatus[]>> = {
  Authorised: ["Pending"],
  Rejected: ["Pending"],
  Aborted: ["Pending", "Executing"],
  Begun: ["Pending"],
  Built: ["Executing"],
  Waiting: ["Executing"],
  Signed: ["Executing"],
  Broadcasted: ["Executing"],
  Replaced: ["Executing", "Broadcasted"],
  Reinstated: CHAIN_REQUEST_STATUSES,
  Confirmed: ["Broadcasted"],
  Reorganised: ["Confirmed", "Failed"],
  Failed: ["Pending", "Executing", "Broadcasted"],
};

type Change = "requested" | "broadcasted" | "confirmed" | "failed" | "rejected";

const TRANSFER_EVENTS: Readonly<Record<Change, EventKind>> = {
  requested: "wallet.transfer.requested",
  broadcasted: "wallet.transfer.broadcasted",
  confirmed: "wallet.transfer.confirmed",
  failed: "wallet.transfer.failed",
  rejected: "wallet.transfer.rejected",
};
const TRANSACTION_EVENTS: Readonly<Record<Change, EventKind>> = {
  requested: "wallet.transaction.requested",
  broadcasted: "wallet.transaction.broadcasted",
  confirmed: "wallet.transaction.confirmed",
  failed: "wallet.transaction.failed",
  rejected: "wallet.transaction.rejected",
};

const happened = (change: Change, request: ChainRequest, date: string): DomainEvent => {
  const common = { orgId: request.orgId, entityId: request.id, date };
  return request.kind === "Transfer"
    ? { ...common, kind: TRANSFER_EVENTS[change], data: { transferRequest: transferView(request) } }
    : { ...common, kind: TRANSACTION_EVENTS[change], data: { transactionRequest: transactionView(request) } };
};

type Decided<R extends ChainRequest> = Result<ChainRequestDecision<R>>;

const quiet = <R extends ChainRequest>(request: R): Decided<R> => ok({ request, events: [] });
const loud = <R extends ChainRequest>(change: Change, request: R, date: string): Decided<R> =>
  ok({ request, events: [happened(change, request, date)] });

/** The event that tells of a new request; stored in the same transaction as its row. */
export const chainRequestRequested = (request: ChainRequest): DomainEvent =>
  happened("requested", request, request.dateRequested);

/** The event that tells of a request that a policy blocked at once; stored with its row, after `requested`. */
export const chainRequestRejected = (request: ChainRequest): DomainEvent =>
  happened("rejected", request, request.datePolicyResolved ?? request.dateRequested);

/**
 * Moves a request to a chain on: `(request, event) → request' + events to emit` (INV-6). Transfers and transactions
 * have one life.
 *
 * @returns RequestStateInvalid when the event does not fit the state (a message that came twice, or late), and
 *   NonceConflict when a second transaction would take another account nonce (INV-4). The caller leaves the row as it is.
 */
export const decideChainRequest = <R extends ChainRequest>(
  request: R,
  event: ChainRequestEvent,
): Decided<R> => {
  if (!FROM[event.kind].includes(request.status)) return misfit(request, event);
  switch (event.kind) {
    case "Authorised":
      return authorised(request, event);
    case "Rejected":
      return rejected(request, event);
    case "Aborted":
      return aborted(request, event);
    case "Begun":
      return request.authorisation === undefined
        ? misfit(request, event)
        : quiet({ ...request, status: "Executing" });
    case "Built":
      return built(request, event);
    case "Waiting":
      return quiet({ ...request, reason: event.reason });
    case "Signed":
      return signed(request, event);
    case "Replaced":
      return replaced(request, event);
    case "Reinstated":
      return request.replacementId === event.from
        ? quiet({ ...request, replacementId: undefined })
        : misfit(request, event);
    case "Broadcasted":
    case "Confirmed":
    case "Reorganised":
    case "Failed":
      return settled(request, event);
  }
};

type EventOf<Kind extends ChainRequestEvent["kind"]> = Extract<ChainRequestEvent, { readonly kind: Kind }>;

/** What the chain makes of it. */
const settled = <R extends ChainRequest>(
  request: R,
  event: EventOf<"Broadcasted" | "Confirmed" | "Reorganised" | "Failed">,
): Decided<R> => {
  switch (event.kind) {
    case "Broadcasted": {
      if (request.signedTransaction === undefined) return misfit(request, event);
      const dateBroadcasted = request.dateBroadcasted ?? event.date;
      return loud(
        "broadcasted",
        { ...request, status: "Broadcasted", reason: undefined, dateBroadcasted },
        event.date,
      );
    }
    case "Confirmed": {
      const { fee, blockNumber, blockHash, date } = event;
      const inclusion = { fee, blockNumber, blockHash, dateConfirmed: date, dateSettled: date };
      return loud("confirmed", { ...request, ...inclusion, status: "Confirmed" }, date);
    }
    case "Reorganised":
      // what failed before it was signed was never on a chain
      return request.signedTransaction === undefined
        ? misfit(request, event)
        : loud("broadcasted", unsettled(request, event.date), event.date);
    case "Failed": {
      const { reason, date } = event;
      const { fee, blockNumber, blockHash } = event.inclusion ?? request;
      const failed = { fee, blockNumber, blockHash, reason, dateSettled: date };
      return loud("failed", { ...request, ...failed, status: "Failed" }, date);
    }
  }
};

const misfit = (request: ChainRequest, event: ChainRequestEvent): Result<never> =>
  fail("RequestStateInvalid", { requestId: request.id, status: request.status, event: event.kind });

const authorised = <R extends ChainRequest>(request: R, event: EventOf<"Authorised">): Decided<R> => {
  if (request.authorisation !== undefined) return misfit(request, event);
  return quiet({
    ...request,
    authorisation: event.authorisation,
    policyDecision: event.decision,
    datePolicyResolved: event.date,
  });
};

/** Only what still waits for its approval can be rejected: an authorised request is the signers' to carry out. */
const rejected = <R extends ChainRequest>(request: R, event: EventOf<"Rejected">): Decided<R> => {
  if (request.authorisation !== undefined) return misfit(request, event);
  const { reason, date } = event;
  return loud("rejected", { ...request, status: "Rejected", reason, datePolicyResolved: date }, date);
};

const aborted = <R extends ChainRequest>(request: R, event: EventOf<"Aborted">): Decided<R> => {
  if (request.signedTransaction !== undefined) return misfit(request, event);
  const { reason, date } = event;
  return request.status === "Pending"
    ? loud("rejected", { ...request, status: "Rejected", reason, dateSettled: date }, date)
    : loud("failed", { ...request, status: "Failed", reason, dateSettled: date }, date);
};

/** Once signed bytes exist they are the only ones (INV-4); before that only the fees may change, not the nonce. */
const built = <R extends ChainRequest>(request: R, event: EventOf<"Built">): Decided<R> => {
  if (request.signedTransaction !== undefined) return misfit(request, event);
  if (request.nonce !== undefined && request.nonce !== event.nonce) {
    return fail("NonceConflict", { requestId: request.id, nonce: request.nonce });
  }
  const { nonce, unsignedTransaction, details } = event;
  return quiet({ ...request, nonce, unsignedTransaction, details });
};

const signed = <R extends ChainRequest>(request: R, event: EventOf<"Signed">): Decided<R> => {
  if (request.unsignedTransaction === undefined || request.signedTransaction !== undefined) {
    return misfit(request, event);
  }
  const { signedTransaction, txHash } = event;
  return quiet({ ...request, reason: undefined, signedTransaction, txHash });
};

/** Before it is signed there is nothing to replace, and a replaced one is replaced at the end of its line. */
const replaced = <R extends ChainRequest>(request: R, event: EventOf<"Replaced">): Decided<R> =>
  request.signedTransaction === undefined || request.replacementId !== undefined
    ? misfit(request, event)
    : quiet({ ...request, replacementId: event.by });

const unsettled = <R extends ChainRequest>(request: R, date: string) => ({
  ...request,
  status: "Broadcasted" as const,
  reason: undefined,
  fee: undefined,
  blockNumber: undefined,
  blockHash: undefined,
  dateBroadcasted: request.dateBroadcasted ?? date,
  dateConfirmed: undefined,
  dateSettled: undefined,
});
