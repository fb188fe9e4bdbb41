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
import { mappedTable } from "../table/table.ts";

const columns = {
  id: changeRequestIdSchema,
  orgId: organisationIdSchema,
  kind: z.enum(CHANGE_REQUEST_KINDS),
  operationKind: z.enum(CHANGE_OPERATIONS),
  status: z.enum(CHANGE_REQUEST_STATUSES),
  requester: requesterSchema,
  entityId: z.string(),
  body: z.record(z.string(), z.unknown()),
  approvalId: optional(approvalIdSchema),
  reason: optional(z.string()),
  dateCreated: date,
  dateResolved: optional(date),
};
const rowSchema: z.ZodType<ChangeRequest> = z.object(columns);

export const changeRequests = mappedTable(
  "change_requests",
  columns,
  { row: rowSchema },
  { changing: ["status", "reason", "dateResolved"] },
);

/** Inserts a change request. @returns false, and changes nothing, while another change of the same entity is pending */
export const insertChangeRequest = (connection: Connection, request: ChangeRequest): Promise<boolean> =>
  changeRequests.insert(connection, request, "on conflict (entity_id) where status = 'Pending' do nothing");

/** Writes the outcome of a change request. */
export const updateChangeRequest = async (connection: Connection, request: ChangeRequest): Promise<void> => {
  if (!(await changeRequests.update(connection, request)))
    throw new Error(`${request.id} is not there to be updated`);
};

/** Reads a change request and locks its row until the transaction ends. */
export const lockChangeRequest = (
  connection: Connection,
  id: ChangeRequestId,
): Promise<ChangeRequest | undefined> => changeRequests.one(connection, { id }, "for update");

export const readChangeRequest = (
  connection: Connection,
  id: ChangeRequestId,
): Promise<ChangeRequest | undefined> => changeRequests.one(connection, { id });

/** Reads the change of an entity that waits for approval, if there is one. */
export const readPendingChange = (
  connection: Connection,
  orgId: OrganisationId,
  entityId: string,
): Promise<ChangeRequest | undefined> =>
  changeRequests.one(connection, { orgId, entityId, status: "Pending" });

/** Like readPendingChange for several entities, by entity id. */
export const readPendingChanges = async (
  connection: Connection,
  orgId: OrganisationId,
  entityIds: readonly string[],
): Promise<ReadonlyMap<string, ChangeRequest>> => {
  const found = await changeRequests.rows(
    connection,
    "where org_id = $1 and entity_id = any($2) and status = 'Pending'",
    [orgId, entityIds],
  );
  return new Map(found.map((request) => [request.entityId, request]));
};
