import {
  type CreatePermissionBody,
  fail,
  isReservedName,
  ok,
  type PermissionId,
  permissionIdSchema,
  type Result,
} from "@conclave/custody";
import {
  type Caller,
  type Connection,
  insertPermission,
  type Permission,
  readPermission,
} from "@conclave/platform";
import type { Dependencies } from "../dependencies.ts";

/** Makes a permission. @returns PermissionNameTaken when the organisation has one of this name, or the name is reserved */
export const createPermission = async (
  { database, now, world }: Pick<Dependencies, "database" | "now" | "world">,
  { orgId }: Caller,
  { name, operations }: CreatePermissionBody,
): Promise<Result<Permission>> => {
  if (isReservedName(name)) return fail("PermissionNameTaken", { name });
  const date = now().toISOString();
  const permission: Permission = {
    id: world.freshId(permissionIdSchema, "pm"),
    orgId,
    name,
    operations: [...new Set(operations)],
    grantsEverything: false,
    isImmutable: false,
    isArchived: false,
    dateCreated: date,
    dateUpdated: date,
  };
  return (await insertPermission(database, permission))
    ? ok(permission)
    : fail("PermissionNameTaken", { name });
};

/** A permission of the caller's organisation (INV-11). */
export const visiblePermission = async (
  connection: Connection,
  { orgId }: Pick<Caller, "orgId">,
  permissionId: PermissionId,
): Promise<Result<Permission>> => {
  const permission = await readPermission(connection, orgId, permissionId);
  return permission === undefined ? fail("PermissionNotFound", { permissionId, orgId }) : ok(permission);
};
