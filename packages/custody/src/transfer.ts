import type { SignedAuthorisation } from "./authorisation.ts";
import { fail, ok, type Result } from "./errors.ts";
import type { DomainEvent, EventKind } from "./event.ts";
import type { OrganisationId, TransferId, WalletId } from "./identifiers.ts";
import type { Asset, Network } from "./network.ts";
import type { PolicyDecision } from "./policy.ts";
import type { Requester } from "./requester.ts";
import type { TransferBody } from "./requests.ts";
import { transferView } from "./transfer-view.ts";

export const TRANSFER_STATUSES = [
  "Pending",
  "Executing",
  "Broadcasted",
  "Confirmed",
  "Failed",
  "Rejected",
] as const;
export type TransferStatus = (typeof TRANSFER_STATUSES)[number];

/** One request to move an asset, from acceptance to its end. Dates are ISO 8601 UTC. */
export interface Transfer {
  readonly id: TransferId;
  readonly orgId: OrganisationId;
  readonly walletId: WalletId;
  readonly network: Network;
  readonly requester: Requester;
  readonly requestBody: TransferBody;
  readonly metadata: { readonly asset: Asset };
  readonly externalId: string | undefined;
  readonly status: TransferStatus;
  /** why it failed, or what it waits for */
  readonly reason: string | undefined;
  readonly policyDecision: PolicyDecision;
  readonly authorisation: SignedAuthorisation;
  /** the sender's account nonce; set with the unsigned transaction, before anything is signed */
  readonly nonce: number | undefined;
  readonly unsignedTransaction: Uint8Array | undefined;
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
}

export type TransferEvent =
  /** work begins: Pending → Executing */
  | { readonly kind: "Begun" }
  /** the unsigned transaction is made, or made again with other fees under the same nonce */
  | { readonly kind: "Built"; readonly nonce: number; readonly unsignedTransaction: Uint8Array }
  /** work cannot go on yet, as when too few signers are live; undefined takes an earlier reason away */
  | { readonly kind: "Waiting"; readonly reason: string | undefined }
  | { readonly kind: "Signed"; readonly signedTransaction: Uint8Array; readonly txHash: string }
  /** a node took the signed bytes: Executing → Broadcasted */
  | { readonly kind: "Broadcasted"; readonly date: string }
  | {
      readonly kind: "Confirmed";
      readonly date: string;
      readonly fee: string;
      readonly blockNumber: bigint;
      readonly blockHash: string;
    }
  /** the block that held it is no longer on the chain: Confirmed → Broadcasted */
  | { readonly kind: "Reorganised"; readonly date: string }
  /** it cannot be carried out, or the chain executed it and it failed there; then it has cost a fee */
  | { readonly kind: "Failed"; readonly date: string; readonly reason: string; readonly fee?: string };

export interface TransferDecision {
  readonly transfer: Transfer;
  readonly events: readonly DomainEvent[];
}

const FROM: Readonly<Record<TransferEvent["kind"], readonly TransferStatus[]>> = {
  Begun: ["Pending"],
  Built: ["Executing"],
  Waiting: ["Executing"],
  Signed: ["Executing"],
  Broadcasted: ["Executing"],
  Confirmed: ["Broadcasted"],
  Reorganised: ["Confirmed"],
  Failed: ["Pending", "Executing", "Broadcasted"],
};

const happened = (kind: EventKind, transfer: Transfer, date: string): DomainEvent => ({
  kind,
  orgId: transfer.orgId,
  entityId: transfer.id,
  date,
  data: { transferRequest: transferView(transfer) },
});

const quiet = (transfer: Transfer): Result<TransferDecision> => ok({ transfer, events: [] });
const loud = (kind: EventKind, transfer: Transfer, date: string): Result<TransferDecision> =>
  ok({ transfer, events: [happened(kind, transfer, date)] });

/** The event that tells of a new transfer; stored in the same transaction as its row. */
export const transferRequested = (transfer: Transfer): DomainEvent =>
  happened("wallet.transfer.requested", transfer, transfer.dateRequested);

/**
 * Moves a transfer on: `(transfer, event) → transfer' + events to emit` (INV-6).
 *
 * @returns TransferStateInvalid when the event does not fit the state (a message that came twice, or late), and
 *   NonceConflict when a second transaction would take another account nonce (INV-4). The caller leaves the row as it is.
 */
export const decideTransfer = (transfer: Transfer, event: TransferEvent): Result<TransferDecision> => {
  if (!FROM[event.kind].includes(transfer.status)) return misfit(transfer, event);
  switch (event.kind) {
    case "Begun":
      return quiet({ ...transfer, status: "Executing" });
    case "Built":
      return built(transfer, event);
    case "Waiting":
      return quiet({ ...transfer, reason: event.reason });
    case "Signed":
      return signed(transfer, event);
    case "Broadcasted":
      if (transfer.signedTransaction === undefined) return misfit(transfer, event);
      return loud(
        "wallet.transfer.broadcasted",
        { ...transfer, status: "Broadcasted", reason: undefined, dateBroadcasted: event.date },
        event.date,
      );
    case "Confirmed":
      return loud(
        "wallet.transfer.confirmed",
        {
          ...transfer,
          status: "Confirmed",
          fee: event.fee,
          blockNumber: event.blockNumber,
          blockHash: event.blockHash,
          dateConfirmed: event.date,
        },
        event.date,
      );
    case "Reorganised":
      return loud("wallet.transfer.broadcasted", withoutBlock(transfer), event.date);
    case "Failed":
      return loud(
        "wallet.transfer.failed",
        { ...transfer, status: "Failed", reason: event.reason, fee: event.fee ?? transfer.fee },
        event.date,
      );
  }
};

const misfit = (transfer: Transfer, event: TransferEvent): Result<never> =>
  fail("TransferStateInvalid", { transferId: transfer.id, status: transfer.status, event: event.kind });

/** Once signed bytes exist they are the only ones (INV-4); before that only the fees may change, not the nonce. */
const built = (
  transfer: Transfer,
  event: Extract<TransferEvent, { kind: "Built" }>,
): Result<TransferDecision> => {
  if (transfer.signedTransaction !== undefined) return misfit(transfer, event);
  if (transfer.nonce !== undefined && transfer.nonce !== event.nonce) {
    return fail("NonceConflict", { transferId: transfer.id, nonce: transfer.nonce });
  }
  return quiet({ ...transfer, nonce: event.nonce, unsignedTransaction: event.unsignedTransaction });
};

const signed = (
  transfer: Transfer,
  event: Extract<TransferEvent, { kind: "Signed" }>,
): Result<TransferDecision> => {
  if (transfer.unsignedTransaction === undefined || transfer.signedTransaction !== undefined) {
    return misfit(transfer, event);
  }
  return quiet({
    ...transfer,
    reason: undefined,
    signedTransaction: event.signedTransaction,
    txHash: event.txHash,
  });
};

const withoutBlock = (transfer: Transfer): Transfer => ({
  ...transfer,
  status: "Broadcasted",
  fee: undefined,
  blockNumber: undefined,
  blockHash: undefined,
  dateConfirmed: undefined,
});
