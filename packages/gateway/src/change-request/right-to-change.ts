import { isDeepStrictEqual } from "node:util";
import {
  assignmentIdSchema,
  type ChangeRequest,
  createAssignmentBodySchema,
  type Need,
  permissionIdSchema,
  type Result,
  updatePermissionBodySchema,
  userGroupIdSchema,
} from "@conclave/custody";
import { type Connection, type Permission, readPermission } from "@conclave/platform";
import { z } from "zod";
import { type Giver, judgeGain, judgeHandOut, judgeTakingBack } from "../permission/hand-out.ts";
import { MAY_ARCHIVE_POLICY, MAY_ASSIGN, MAY_DELETE_PERMISSION, MAY_REVOKE } from "../permission/needs.ts";
import { judgeStanding } from "../permission/standing.ts";
import { memberChangeOf } from "../user-group/member-change.ts";
import { policiesBehind } from "../user-group/named-by.ts";
import { readInChange } from "./stored-change.ts";

/**
 * Whether the requester of a change may make it now: judged as at the request, by the requester's current rights.
 * Without this, an approval could grant rights that the requester no longer holds.
 * @returns PermissionMissing, TokenNarrowed, or PermissionNotFound
 */
export const judgeChanger = async (
  connection: Connection,
  request: ChangeRequest,
): Promise<Result<unknown>> => {
  const { orgId, requester } = request;
  const needs = await needsOf(connection, request);
  const standing = await judgeStanding(connection, { orgId, ...requester }, "who asked for it", needs);
  if (!standing.ok) return standing;
  const giver = { caller: { orgId, userId: requester.userId }, principal: standing.value };
  switch (request.kind) {
    case "Policy":
    case "UserGroup":
      return standing;
    case "Permission":
      return judgePermission(connection, giver, request);
    case "Assignment":
      return judgeAssignment(connection, giver, request);
  }
};

const archivedSchema = z.object({ status: z.string().optional() });
const permissionSchema = updatePermissionBodySchema.extend({ isArchived: z.boolean() });

/**
 * The permission to change a permission: to archive it, also once more where it is archived already, to take it back, or to
 * update it.
 */
const needOfPermission = (permission: Permission | undefined, request: ChangeRequest): Need => {
  const { name, operations, isArchived } = request.body;
  const asked = readInChange(request, "body", permissionSchema, { name, operations, isArchived });
  if (permission === undefined) return "Permissions:Update";
  if (permission.isArchived !== asked.isArchived)
    return asked.isArchived ? MAY_DELETE_PERMISSION : "Permissions:Archive";
  const isSame = isDeepStrictEqual([permission.name, permission.operations], [asked.name, asked.operations]);
  return permission.isArchived && isSame ? MAY_DELETE_PERMISSION : "Permissions:Update";
};

/**
 * The permission to change a user group, and that to change a policy where policies name the group: its members are their
 * approvers.
 */
const needsOfGroup = async (connection: Connection, request: ChangeRequest): Promise<readonly Need[]> => {
  const id = readInChange(request, "entity_id", userGroupIdSchema, request.entityId);
  const named = await policiesBehind(connection, { orgId: request.orgId, id });
  const own = request.operationKind === "Delete" ? "Auth:UserGroups:Delete" : needOfMembers(request);
  return named.length === 0 ? [own] : [own, "Policies:Update"];
};

const needOfMembers = (request: ChangeRequest): Need =>
  memberChangeOf(request).kind === "Added" ? "Auth:UserGroups:Members:Add" : "Auth:UserGroups:Members:Remove";

/** The permissions that the change's operation needs, all of them. */
const needsOf = async (connection: Connection, request: ChangeRequest): Promise<readonly Need[]> => {
  const { kind, operationKind, orgId, entityId, body } = request;
  const { status } = readInChange(request, "body", archivedSchema, body);
  switch (kind) {
    case "Policy":
      return [status === "Archived" ? MAY_ARCHIVE_POLICY : "Policies:Update"];
    case "Permission": {
      const id = readInChange(request, "entity_id", permissionIdSchema, entityId);
      return [needOfPermission(await readPermission(connection, orgId, id), request)];
    }
    case "Assignment":
      return [operationKind === "Delete" ? MAY_REVOKE : MAY_ASSIGN];
    case "UserGroup":
      return needsOfGroup(connection, request);
  }
};

const gainSchema = updatePermissionBodySchema.pick({ operations: true }).extend({ isArchived: z.boolean() });

const judgePermission = (
  connection: Connection,
  giver: Giver,
  request: ChangeRequest,
): Promise<Result<void>> => {
  const { operations, isArchived } = request.body;
  const change = readInChange(request, "body", gainSchema, { operations, isArchived });
  const id = readInChange(request, "entity_id", permissionIdSchema, request.entityId);
  return judgeGain(connection, giver, id, change);
};

const assignmentSchema = createAssignmentBodySchema.extend({ permissionId: permissionIdSchema });

const judgeAssignment = (
  connection: Connection,
  giver: Giver,
  request: ChangeRequest,
): Promise<Result<void>> => {
  const { identityId, permissionId } = request.body;
  const asked = readInChange(request, "body", assignmentSchema, { identityId, permissionId });
  const id = readInChange(request, "entity_id", assignmentIdSchema, request.entityId);
  return request.operationKind === "Delete"
    ? judgeTakingBack(connection, giver, asked.permissionId, id)
    : judgeHandOut(connection, giver, asked.permissionId);
};
