import {
  approvalIdSchema,
  CHANGE_OPERATIONS,
  CHANGE_REQUEST_KINDS,
  CHANGE_REQUEST_STATUSES,
  type ChangeRequest,
  type ChangeRequestId,
  changeRequestIdSchema,
  type OrganisationId,
  organisationIdSchema,
  requesterSchema,
} from "@conclave/custody";
import { z } from "zod";
import { date, optional } from "../columns.ts";
import type { Connection } from "../database.ts";

const rowSchema = z
  .object({
    id: changeRequestIdSchema,
    org_id: organisationIdSchema,
    kind: z.enum(CHANGE_REQUEST_KINDS),
    operation_kind: z.enum(CHANGE_OPERATIONS),
    status: z.enum(CHANGE_REQUEST_STATUSES),
    requester: requesterSchema,
    entity_id: z.string(),
    body: z.record(z.string(), z.unknown()),
    approval_id: optional(approvalIdSchema),
    reason: optional(z.string()),
    date_created: date,
    date_resolved: optional(date),
  })
  .transform(
    (row): ChangeRequest => ({
      id: row.id,
      orgId: row.org_id,
      kind: row.kind,
      operationKind: row.operation_kind,
      status: row.status,
      requester: row.requester,
      entityId: row.entity_id,
      body: row.body,
      approvalId: row.approval_id,
      reason: row.reason,
      dateCreated: row.date_created,
      dateResolved: row.date_resolved,
    }),
  );

/** Inserts a change request. @returns false, and changes nothing, while another change of the same entity waits */
export const insertChangeRequest = async (
  connection: Connection,
  request: ChangeRequest,
): Promise<boolean> => {
  const inserted = await connection.execute(
    `insert into change_requests (id, org_id, kind, operation_kind, status, requester, entity_id, body, approval_id,
       reason, date_created, date_resolved)
     values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12)
     on conflict (entity_id) where status = 'Pending' do nothing`,
    [
      request.id,
      request.orgId,
      request.kind,
      request.operationKind,
      request.status,
      JSON.stringify(request.requester),
      request.entityId,
      JSON.stringify(request.body),
      request.approvalId,
      request.reason,
      request.dateCreated,
      request.dateResolved,
    ],
  );
  return inserted === 1;
};

/** Writes the outcome of a change request. */
export const updateChangeRequest = async (connection: Connection, request: ChangeRequest): Promise<void> => {
  const updated = await connection.execute(
    "update change_requests set status = $2, reason = $3, date_resolved = $4 where id = $1",
    [request.id, request.status, request.reason, request.dateResolved],
  );
  if (updated !== 1) throw new Error(`${request.id} is not there to be updated`);
};

/** Reads a change request and locks its row until the transaction ends. */
export const lockChangeRequest = async (
  connection: Connection,
  id: ChangeRequestId,
): Promise<ChangeRequest | undefined> => {
  const [found] = await connection.rows(rowSchema, "select * from change_requests where id = $1 for update", [
    id,
  ]);
  return found;
};

export const readChangeRequest = async (
  connection: Connection,
  id: ChangeRequestId,
): Promise<ChangeRequest | undefined> => {
  const [found] = await connection.rows(rowSchema, "select * from change_requests where id = $1", [id]);
  return found;
};

/** Reads the change of an entity that waits for approval, if there is one. */
export const readPendingChange = async (
  connection: Connection,
  orgId: OrganisationId,
  entityId: string,
): Promise<ChangeRequest | undefined> => {
  const [found] = await connection.rows(
    rowSchema,
    "select * from change_requests where org_id = $1 and entity_id = $2 and status = 'Pending'",
    [orgId, entityId],
  );
  return found;
};

/** Like readPendingChange for several entities, by entity id. */
export const readPendingChanges = async (
  connection: Connection,
  orgId: OrganisationId,
  entityIds: readonly string[],
): Promise<ReadonlyMap<string, ChangeRequest>> => {
  const found = await connection.rows(
    rowSchema,
    "select * from change_requests where org_id = $1 and entity_id = any($2) and status = 'Pending'",
    [orgId, entityIds],
  );
  return new Map(found.map((request) => [request.entityId, request]));
};
