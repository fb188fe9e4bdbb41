import {
  type ChangeRequest,
  changeableOf,
  fail,
  isReservedName,
  type OrganisationId,
  ok,
  type PermissionId,
  permissionIdSchema,
  permissionView,
  problem,
  type Result,
  type UpdatePermissionBody,
  updatePermissionBodySchema,
} from "@conclave/custody";
import {
  type Caller,
  type Connection,
  changeRights,
  isUniqueViolation,
  lockPermission,
  type Permission,
  updatePermission,
} from "@conclave/platform";
import { z } from "zod";
import { type Guarded, guardChange } from "../change-request/guard-change.ts";
import { readInChange } from "../change-request/stored-change.ts";
import type { Dependencies } from "../dependencies.ts";
import { demand, Refused } from "../http/refused.ts";
import { roomForOperations } from "../people/room.ts";

/** The changes of a permission. */
export type PermissionChange = UpdatePermissionBody & { readonly isArchived?: boolean };

/**
 * Changes a permission, or first asks for the approvals that a policy on changes of permissions requires.
 * @throws Refused with PermissionNotFound, PermissionImmutable, PermissionNameTaken, TooManyOperations or
 * ChangeRequestPending
 */
export const changePermission = (
  dependencies: Pick<Dependencies, "database" | "prices" | "now" | "world">,
  caller: Caller,
  permissionId: PermissionId,
  change: PermissionChange,
): Promise<Guarded<Permission>> => {
  const changing = dependencies.database.transaction(async (connection): Promise<Guarded<Permission>> => {
    await changeRights(connection, caller.orgId);
    const date = dependencies.now().toISOString();
    const changed = demand(await changedPermission(connection, caller.orgId, permissionId, change, date));
    const guarded = await guardChange(dependencies, connection, caller, {
      kind: "Permission",
      // client libraries know no other operation on permissions: archiving updates a flag
      operationKind: "Update",
      entityId: permissionId,
      body: { ...permissionView(changed) },
      activity: { kind: "Permissions:Modify", permissionId },
    });
    const request = demand(guarded);
    if (request !== undefined) return { kind: "Asked", request };
    return { kind: "Made", entity: demand(await storePermission(connection, changed)) };
  });
  return changing.catch((error: unknown) => {
    // another permission took the name at the same moment
    if (!isUniqueViolation(error, "permissions_by_name")) throw error;
    throw new Refused(problem("PermissionNameTaken", { name: change.name }));
  });
};

/** The permission after a change; locks its row until the transaction ends. */
const changedPermission = async (
  connection: Connection,
  orgId: OrganisationId,
  permissionId: PermissionId,
  change: PermissionChange,
  date: string,
): Promise<Result<Permission>> => {
  const permission = await lockPermission(connection, orgId, permissionId);
  if (permission === undefined) return fail("PermissionNotFound", { permissionId, orgId });
  const name = change.name ?? permission.name;
  const changeable = changeableOf(permission.isImmutable, permission.name);
  const isNarrow = name === permission.name && (change.isArchived ?? false) === permission.isArchived;
  if (changeable === "nothing" || (changeable === "operations" && !isNarrow)) {
    return fail("PermissionImmutable", { permissionId, changeable });
  }
  // a permission that took such a name under an earlier version keeps it until it is archived
  const takesName = name !== permission.name || change.isArchived === false;
  if (takesName && isReservedName(name)) return fail("PermissionNameTaken", { name });
  const changed: Permission = {
    ...permission,
    name,
    operations: change.operations === undefined ? permission.operations : [...new Set(change.operations)],
    isArchived: change.isArchived ?? permission.isArchived,
    dateUpdated: date,
  };
  const room = listed(changed) > listed(permission) ? await roomFor(connection, changed) : ok(undefined);
  return room.ok ? ok(changed) : room;
};

/** The number of operations that a permission adds to each identity that has it. */
const listed = ({ isArchived, operations }: Permission): number => (isArchived ? 0 : operations.length);

const roomFor = (connection: Connection, permission: Permission): Promise<Result<void>> =>
  roomForOperations(connection, permission, { id: permission.id, operations: permission.operations.length });

const storePermission = async (
  connection: Connection,
  permission: Permission,
): Promise<Result<Permission>> =>
  (await updatePermission(connection, permission))
    ? ok(permission)
    : fail("PermissionNameTaken", { name: permission.name });

/** The permission in the form that people approved. */
const approvedSchema = z.object({
  ...updatePermissionBodySchema.required().shape,
  // judged at the request, possibly by a version that accepted other names
  name: z.string(),
  isArchived: z.boolean(),
});

/** Makes an approved change of a permission. */
export const applyPermissionChange = async (
  connection: Connection,
  request: ChangeRequest,
  date: string,
): Promise<Result<Permission>> => {
  const change = readInChange(request, "body", approvedSchema, request.body);
  const permissionId = readInChange(request, "entity_id", permissionIdSchema, request.entityId);
  const changed = await changedPermission(connection, request.orgId, permissionId, change, date);
  return changed.ok ? storePermission(connection, changed.value) : changed;
};
