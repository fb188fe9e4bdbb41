import { z } from "zod";
import { fail, ok, type Result } from "../errors.ts";
import type { ApprovalId, ChangeRequestId, OrganisationId } from "../identifiers.ts";
import { type Requester, requesterViewSchema } from "../requester.ts";

export const CHANGE_REQUEST_KINDS = ["Policy", "Permission", "Assignment", "UserGroup"] as const;
export const CHANGE_OPERATIONS = ["Create", "Update", "Delete"] as const;
export const CHANGE_REQUEST_STATUSES = ["Pending", "Applied", "Rejected", "Failed"] as const;

/**
 * A change of a policy, a permission, an assignment or a user group's members that people must approve first (wire interface, section
 * E.3). The API answers HTTP 202, which client libraries turn into an exception.
 */
export interface ChangeRequest {
  readonly id: ChangeRequestId;
  readonly orgId: OrganisationId;
  readonly kind: (typeof CHANGE_REQUEST_KINDS)[number];
  readonly operationKind: (typeof CHANGE_OPERATIONS)[number];
  readonly status: (typeof CHANGE_REQUEST_STATUSES)[number];
  readonly requester: Requester;
  /** the policy, permission, assignment or user group */
  readonly entityId: string;
  /** the entity as it would be after the change; of a user group, who is added and removed */
  readonly body: Readonly<Record<string, unknown>>;
  readonly approvalId: ApprovalId | undefined;
  /** why it failed, or was rejected */
  readonly reason: string | undefined;
  /** ISO 8601 UTC */
  readonly dateCreated: string;
  readonly dateResolved: string | undefined;
}

export type ChangeRequestEvent =
  | { readonly kind: "Applied"; readonly date: string }
  /** the requester may not make the change, or it was not approved */
  | { readonly kind: "Rejected"; readonly date: string; readonly reason: string }
  /** it was approved, but the entity no longer exists or can no longer be changed */
  | { readonly kind: "Failed"; readonly date: string; readonly reason: string };

/** Settles a change request. @returns ChangeRequestSettled when it was already settled */
export const decideChangeRequest = (
  request: ChangeRequest,
  event: ChangeRequestEvent,
): Result<ChangeRequest> =>
  request.status === "Pending"
    ? ok({
        ...request,
        status: event.kind,
        reason: event.kind === "Applied" ? undefined : event.reason,
        dateResolved: event.date,
      })
    : fail("ChangeRequestSettled", { changeRequestId: request.id, status: request.status });

/** The change request in API responses. */
export const changeRequestViewSchema = z.object({
  id: z.string(),
  kind: z.enum(CHANGE_REQUEST_KINDS),
  operationKind: z.enum(CHANGE_OPERATIONS),
  status: z.enum(CHANGE_REQUEST_STATUSES),
  requester: requesterViewSchema,
  entityId: z.string(),
  body: z.record(z.string(), z.unknown()),
  approvalId: z.string().optional(),
  reason: z.string().optional(),
  dateCreated: z.string(),
  dateResolved: z.string().optional(),
});
export type ChangeRequestView = z.infer<typeof changeRequestViewSchema>;

export const changeRequestView = (request: ChangeRequest): ChangeRequestView => ({
  id: request.id,
  kind: request.kind,
  operationKind: request.operationKind,
  status: request.status,
  requester: request.requester,
  entityId: request.entityId,
  body: request.body,
  ...(request.approvalId === undefined ? {} : { approvalId: request.approvalId }),
  ...(request.reason === undefined ? {} : { reason: request.reason }),
  dateCreated: request.dateCreated,
  ...(request.dateResolved === undefined ? {} : { dateResolved: request.dateResolved }),
});
