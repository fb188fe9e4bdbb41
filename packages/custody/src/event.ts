import type { EventId, OrganisationId } from "./identifiers.ts";

/** Kinds of event that this service emits (wire interface, section D.3). */
export const EVENT_KINDS = [
  "key.created",
  "key.delegated",
  "key.exported",
  "key.deleted",
  "wallet.created",
  "wallet.delegated",
  "wallet.exported",
  "wallet.tags.modified",
  "wallet.transfer.requested",
  "wallet.transfer.broadcasted",
  "wallet.transfer.confirmed",
  "wallet.transfer.failed",
  "wallet.transfer.rejected",
  "wallet.transaction.requested",
  "wallet.transaction.broadcasted",
  "wallet.transaction.confirmed",
  "wallet.transaction.failed",
  "wallet.transaction.rejected",
  "wallet.signature.requested",
  "wallet.signature.signed",
  "wallet.signature.failed",
  "wallet.signature.rejected",
  "wallet.blockchainevent.detected",
  "address_watch.blockchain_event.transfer.confirmed",
  "policy.triggered",
  "policy.approval.pending",
  "policy.approval.resolved",
] as const;
export type EventKind = (typeof EVENT_KINDS)[number];

/** An event, and the resource that it concerns. It is stored in the transaction of the change (INV-6). */
export interface DomainEvent {
  /**
   * set where the id derives from the event's content, so that recording the event again keeps the id;
   * absent: a fresh id is drawn
   */
  readonly id?: EventId;
  readonly kind: EventKind;
  readonly orgId: OrganisationId;
  /** the changed resource: a key, wallet, address watch or request */
  readonly entityId: string;
  /** ISO 8601 UTC */
  readonly date: string;
  /** the resource as the API shows it after the change (wire interface, section D.4) */
  readonly data: Readonly<Record<string, unknown>>;
}
