import {
  type AssignmentId,
  assignmentIdSchema,
  assignmentView,
  type ChangeRequest,
  type CreateAssignmentBody,
  createAssignmentBodySchema,
  ok,
  type PermissionId,
  permissionIdSchema,
  type Result,
} from "@conclave/custody";
import {
  type Caller,
  type Connection,
  changeRights,
  deleteAssignment,
  type PermissionAssignment,
} from "@conclave/platform";
import { z } from "zod";
import { type Guarded, guardChange } from "../change-request/guard-change.ts";
import { readInChange } from "../change-request/stored-change.ts";
import type { Dependencies } from "../dependencies.ts";
import { demand } from "../http/refused.ts";
import { askedAssignment, revocableAssignment, storeAssignment } from "./assignments.ts";

type Needed = Pick<Dependencies, "database" | "prices" | "now" | "world">;

/**
 * Assigns a permission, or first asks for the approvals that a policy on assignments requires. An existing assignment
 * is returned without an approval.
 * @throws Refused with PermissionNotFound, PermissionArchived or IdentityNotFound
 */
export const createAssignment = (
  dependencies: Needed,
  caller: Caller,
  permissionId: PermissionId,
  body: CreateAssignmentBody,
): Promise<Guarded<PermissionAssignment>> =>
  dependencies.database.transaction(async (connection) => {
    await changeRights(connection, caller.orgId);
    const date = dependencies.now().toISOString();
    const id = dependencies.world.freshId(assignmentIdSchema, "as");
    const asked = await askedAssignment(connection, caller.orgId, permissionId, { ...body, id }, date);
    const { assignment, isStored } = demand(asked);
    if (isStored) return { kind: "Made", entity: assignment };
    const request = await guard(dependencies, connection, caller, "Create", assignment);
    if (request !== undefined) return { kind: "Asked", request };
    return { kind: "Made", entity: await storeAssignment(connection, assignment) };
  });

/**
 * Revokes a permission, or first asks for the approvals that a policy on assignments requires.
 * @throws Refused with AssignmentNotFound, AssignmentImmutable, AdministratorNeeded or ChangeRequestPending
 */
export const revokeAssignment = (
  dependencies: Needed,
  caller: Caller,
  permissionId: PermissionId,
  assignmentId: AssignmentId,
): Promise<Guarded<PermissionAssignment>> =>
  dependencies.database.transaction(async (connection) => {
    await changeRights(connection, caller.orgId);
    const found = await revocableAssignment(connection, caller.orgId, permissionId, assignmentId);
    const assignment = demand(found);
    const request = await guard(dependencies, connection, caller, "Delete", assignment);
    if (request !== undefined) return { kind: "Asked", request };
    await deleteAssignment(connection, caller.orgId, assignmentId);
    return { kind: "Made", entity: assignment };
  });

const guard = async (
  dependencies: Needed,
  connection: Connection,
  caller: Caller,
  operationKind: "Create" | "Delete",
  assignment: PermissionAssignment,
): Promise<ChangeRequest | undefined> =>
  demand(
    await guardChange(dependencies, connection, caller, {
      kind: "Assignment",
      operationKind,
      entityId: assignment.id,
      body: { ...assignmentView(assignment) },
      activity: { kind: "Permissions:Assign", permissionId: assignment.permissionId },
    }),
  );

/** The assignment in the form that people approved. */
const approvedSchema = z.object({
  permissionId: permissionIdSchema,
  ...createAssignmentBodySchema.shape,
});

/** Makes or revokes an assignment after its approval. */
export const applyAssignmentChange = async (
  connection: Connection,
  request: ChangeRequest,
  date: string,
): Promise<Result<PermissionAssignment>> => {
  const { orgId, operationKind } = request;
  const { permissionId, identityId } = readInChange(request, "body", approvedSchema, request.body);
  const id = readInChange(request, "entity_id", assignmentIdSchema, request.entityId);
  if (operationKind === "Delete") {
    const assignment = await revocableAssignment(connection, orgId, permissionId, id);
    if (assignment.ok) await deleteAssignment(connection, orgId, id);
    return assignment;
  }
  const asked = await askedAssignment(connection, orgId, permissionId, { id, identityId }, date);
  if (!asked.ok) return asked;
  const { assignment, isStored } = asked.value;
  return ok(isStored ? assignment : await storeAssignment(connection, assignment));
};
