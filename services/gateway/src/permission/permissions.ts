import {
  type CreatePermissionBody,
  fail,
  ok,
  type PermissionId,
  permissionIdSchema,
  type Result,
  type UpdatePermissionBody,
} from "@conclave/custody";
import {
  type Caller,
  type Connection,
  freshId,
  insertPermission,
  lockPermission,
  type Permission,
  readPermission,
  updatePermission,
} from "@conclave/platform";
import type { Dependencies } from "../dependencies.ts";

/** Makes a permission. @returns PermissionNameTaken when the organisation has one of this name */
export const createPermission = async (
  { database, now }: Pick<Dependencies, "database" | "now">,
  { orgId }: Caller,
  { name, operations }: CreatePermissionBody,
): Promise<Result<Permission>> => {
  const date = now().toISOString();
  const permission: Permission = {
    id: freshId(permissionIdSchema, "pm"),
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
  { orgId }: Caller,
  permissionId: PermissionId,
): Promise<Result<Permission>> => {
  const permission = await readPermission(connection, orgId, permissionId);
  return permission === undefined ? fail("PermissionNotFound", { permissionId, orgId }) : ok(permission);
};

/** What changes of a permission. */
export type PermissionChange = UpdatePermissionBody & { readonly isArchived?: boolean };

/**
 * The permission as it would be after a change.
 * @returns PermissionNotFound, or PermissionImmutable for one that the service made
 */
export const changedPermission = async (
  connection: Connection,
  { orgId }: Pick<Caller, "orgId">,
  permissionId: PermissionId,
  change: PermissionChange,
  date: string,
): Promise<Result<Permission>> => {
  const permission = await lockPermission(connection, orgId, permissionId);
  if (permission === undefined) return fail("PermissionNotFound", { permissionId, orgId });
  if (permission.isImmutable) return fail("PermissionImmutable", { permissionId });
  return ok({
    ...permission,
    name: change.name ?? permission.name,
    operations: change.operations === undefined ? permission.operations : [...new Set(change.operations)],
    isArchived: change.isArchived ?? permission.isArchived,
    dateUpdated: date,
  });
};

/** Stores a changed permission. @returns PermissionNameTaken when the organisation has another one of this name */
export const storePermission = async (
  connection: Connection,
  permission: Permission,
): Promise<Result<Permission>> =>
  (await updatePermission(connection, permission))
    ? ok(permission)
    : fail("PermissionNameTaken", { name: permission.name });
