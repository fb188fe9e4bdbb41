import { bytesToHex } from "@noble/hashes/utils.js";
import { DEAD_TRANSACTIONS_MAX } from "../authorisation/dead-transactions.ts";
import { fail, ok, type Result } from "../errors.ts";
import type { DomainEvent, EventKind } from "../event.ts";
import { reasonWords } from "../text.ts";
import {
  CHAIN_REQUEST_STATUSES,
  type ChainRequest,
  type ChainRequestDecision,
  type ChainRequestEvent,
  type ChainRequestStatus,
} from "./chain-request.ts";
import { transactionView } from "./transaction-view.ts";
import { transferView } from "./transfer-view.ts";

const FROM: Readonly<Record<ChainRequestEvent["kind"], readonly ChainRequestStatus[]>> = {
  Authorised: ["Pending"],
  Rejected: ["Pending"],
  Aborted: ["Pending", "Executing"],
  Begun: ["Pending"],
  Built: ["Executing"],
  Adopted: ["Executing"],
  Waiting: ["Executing"],
  RefusedForGood: ["Executing"],
  NotBumped: ["Executing", "Broadcasted"],
  Signed: ["Executing"],
  LandedAs: ["Executing", "Broadcasted"],
  LandedVersion: ["Executing", "Broadcasted"],
  Broadcasted: ["Executing"],
  Died: ["Executing", "Broadcasted"],
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

/** The event of a new request; stored in the same transaction as its row. */
export const chainRequestRequested = (request: ChainRequest): DomainEvent =>
  happened("requested", request, request.dateRequested);

/** The event of a request that a policy blocked at once; stored with its row, after `requested`. */
export const chainRequestRejected = (request: ChainRequest): DomainEvent =>
  happened("rejected", request, request.datePolicyResolved ?? request.dateRequested);

/**
 * Changes the state of a request to a chain: `(request, event) → request' + events to emit` (INV-6).
 * Transfers and transactions have the same states.
 *
 * @returns RequestStateInvalid when the event does not fit the state, as for a repeated or late message;
 * SequenceConflict when a second transaction would take another place (INV-4). The caller then leaves the row
 * unchanged.
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
    case "Adopted":
      return request.signedTransaction === undefined ? withBytes(request, event) : misfit(request, event);
    case "Waiting":
      return quiet({ ...request, reason: event.reason && reasonWords(event.reason) });
    case "RefusedForGood":
      return request.signedTransaction === undefined
        ? misfit(request, event)
        : quiet({
            ...request,
            reason: reasonWords(event.reason),
            details: { ...request.details, refusedForGood: true },
          });
    case "NotBumped":
      return request.signedTransaction === undefined || request.replacementId !== undefined
        ? misfit(request, event)
        : quiet({ ...request, reason: reasonWords(event.reason) });
    case "Signed":
      return signed(request, event);
    case "LandedAs": {
      const { signedTransaction, txHash } = event;
      return request.signedTransaction === undefined
        ? misfit(request, event)
        : quiet({ ...request, signedTransaction, txHash });
    }
    case "LandedVersion":
      return landedVersion(request, event);
    case "Died":
      return died(request, event);
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

/** Applies the chain's result to the request. */
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
        {
          ...request,
          ...without(request, "refusedForGood"),
          status: "Broadcasted",
          reason: undefined,
          dateBroadcasted,
        },
        event.date,
      );
    }
    case "Confirmed": {
      const { fee, blockNumber, blockHash, date, blockDate = date, arrived } = event;
      const details = arrived === undefined ? request.details : { ...request.details, arrived };
      const inclusion = { fee, blockNumber, blockHash, details, dateConfirmed: blockDate, dateSettled: date };
      // the reason, if any, says why its fee was not raised, which no longer matters
      return loud("confirmed", { ...request, ...inclusion, status: "Confirmed", reason: undefined }, date);
    }
    case "Reorganised":
      // a request that failed before it was signed was never on a chain
      return request.signedTransaction === undefined
        ? misfit(request, event)
        : loud("broadcasted", unsettled(request, event.date), event.date);
    case "Failed": {
      const { date } = event;
      const reason = reasonWords(event.reason);
      const { fee, blockNumber, blockHash } = event.inclusion ?? request;
      const failed = { fee, blockNumber, blockHash, reason, dateSettled: date };
      return loud("failed", { ...request, ...failed, status: "Failed" }, date);
    }
  }
};

/** Removes from the details of a request a field that no longer holds. */
const without = (
  { details }: ChainRequest,
  word: "arrived" | "refusedForGood",
): Pick<ChainRequest, "details"> => {
  if (details === undefined) return { details };
  const { [word]: _, ...others } = details;
  return { details: others };
};

const misfit = (request: ChainRequest, event: ChainRequestEvent): Result<never> =>
  fail("RequestStateInvalid", { requestId: request.id, status: request.status, event: event.kind });

const authorised = <R extends ChainRequest>(request: R, event: EventOf<"Authorised">): Decided<R> => {
  if (request.authorisation !== undefined || request.dateAborted !== undefined) return misfit(request, event);
  return quiet({
    ...request,
    authorisation: event.authorisation,
    policyDecision: event.decision,
    datePolicyResolved: event.date,
  });
};

/** Only a request that waits for its approval can be rejected: signers may already be signing an authorised one. */
const rejected = <R extends ChainRequest>(request: R, event: EventOf<"Rejected">): Decided<R> => {
  if (request.authorisation !== undefined) return misfit(request, event);
  const { reason, date } = event;
  return loud("rejected", { ...request, status: "Rejected", reason, datePolicyResolved: date }, date);
};

const aborted = <R extends ChainRequest>(request: R, event: EventOf<"Aborted">): Decided<R> => {
  if (request.signedTransaction !== undefined) return misfit(request, event);
  const { reason, date } = event;
  const over = { ...request, reason, dateAborted: date, dateSettled: date };
  return request.status === "Pending"
    ? loud("rejected", { ...over, status: "Rejected" }, date)
    : loud("failed", { ...over, status: "Failed" }, date);
};

/**
 * Once signed bytes exist, no others are built (INV-4). Before that, a new build may change the fees but not
 * the place.
 */
const built = <R extends ChainRequest>(request: R, event: EventOf<"Built">): Decided<R> => {
  if (request.signedTransaction !== undefined) return misfit(request, event);
  if (request.sequence !== undefined && request.sequence !== event.sequence) {
    return fail("SequenceConflict", { requestId: request.id, sequence: request.sequence.toString() });
  }
  return withBytes(request, event);
};

const withBytes = <R extends ChainRequest>(
  request: R,
  { sequence, exclusion, unsignedTransaction, details }: EventOf<"Built" | "Adopted">,
): Decided<R> =>
  // the reason, if any, says what the request waited for, and that wait is over
  quiet({ ...request, reason: undefined, sequence, exclusion, unsignedTransaction, details });

/**
 * Resets the request to before its first build, except for the count: the dead transactions have records of
 * their own.
 */
const died = <R extends ChainRequest>(request: R, event: EventOf<"Died">): Decided<R> =>
  request.signedTransaction === undefined || request.deadTransactions >= DEAD_TRANSACTIONS_MAX
    ? misfit(request, event)
    : quiet({
        ...request,
        status: "Executing",
        reason: undefined,
        sequence: undefined,
        exclusion: undefined,
        unsignedTransaction: undefined,
        details: undefined,
        signedTransaction: undefined,
        txHash: undefined,
        deadTransactions: request.deadTransactions + 1,
      });

/**
 * Refuses a signature of bytes that were built again while signers signed the earlier ones: it is not for the
 * bytes on record.
 */
const signed = <R extends ChainRequest>(request: R, event: EventOf<"Signed">): Decided<R> => {
  const { unsignedTransaction, signedTransaction, txHash } = event;
  const isOnRecord =
    request.unsignedTransaction !== undefined &&
    bytesToHex(request.unsignedTransaction) === bytesToHex(unsignedTransaction);
  if (!isOnRecord || request.signedTransaction !== undefined) return misfit(request, event);
  return quiet({ ...request, reason: undefined, signedTransaction, txHash });
};

/** Records another version of the request in the same place. For the bytes already on record there is `LandedAs`. */
const landedVersion = <R extends ChainRequest>(request: R, event: EventOf<"LandedVersion">): Decided<R> => {
  const { unsignedTransaction: before, signedTransaction, sequence } = request;
  const { kind: _, ...version } = event;
  const isOther = before !== undefined && bytesToHex(before) !== bytesToHex(version.unsignedTransaction);
  if (!isOther || signedTransaction === undefined) return misfit(request, event);
  if (sequence !== version.sequence) {
    return fail("SequenceConflict", { requestId: request.id, sequence: `${sequence}` });
  }
  return quiet({ ...request, ...version, reason: undefined });
};

/**
 * An unsigned request has nothing to replace; of a replaced one, the last request of its replacement chain is
 * replaced.
 */
const replaced = <R extends ChainRequest>(request: R, event: EventOf<"Replaced">): Decided<R> =>
  request.signedTransaction === undefined || request.replacementId !== undefined
    ? misfit(request, event)
    : quiet({
        ...request,
        ...(request.status === "Broadcasted" ? { reason: undefined } : {}),
        replacementId: event.by,
      });

const unsettled = <R extends ChainRequest>(request: R, date: string) => ({
  ...request,
  ...without(request, "arrived"),
  status: "Broadcasted" as const,
  reason: undefined,
  fee: undefined,
  blockNumber: undefined,
  blockHash: undefined,
  dateBroadcasted: request.dateBroadcasted ?? date,
  dateConfirmed: undefined,
  dateSettled: undefined,
});
