import {
  FULL_ADMIN_NAME,
  OPERATIONS,
  type Operation,
  type OrganisationId,
  operationSchema,
  organisationIdSchema,
  type PermissionId,
  permissionIdSchema,
} from "@conclave/custody";
import { z } from "zod";
import { date } from "../columns.ts";
import type { Connection, Listed } from "../database.ts";
import type { Page } from "../page.ts";
import type { RowOf } from "../table/selection.ts";
import { mappedTable } from "../table/table.ts";

const columns = {
  id: permissionIdSchema,
  orgId: organisationIdSchema,
  name: z.string(),
  operations: z.array(operationSchema),
  /** grants every operation, also those of later versions */
  grantsEverything: z.boolean(),
  /** made by the service; nobody can change or archive it */
  isImmutable: z.boolean(),
  isArchived: z.boolean(),
  dateCreated: date,
  dateUpdated: date,
};

/** A named list of operations that is assigned to identities. Dates are ISO 8601 UTC. */
export type Permission = Omit<RowOf<typeof columns>, "operations"> & {
  readonly operations: readonly Operation[];
};

export const permissions = mappedTable("permissions", columns, {
  row: z
    .object(columns)
    .transform(
      (row): Permission => ({ ...row, operations: row.grantsEverything ? OPERATIONS : row.operations }),
    ),
});

/** Inserts a permission. @returns false, and changes nothing, if the organisation already has one of this name */
export const insertPermission = (connection: Connection, permission: Permission): Promise<boolean> =>
  permissions.insert(connection, permission, "on conflict do nothing");

/** Reads the permission of an organisation that grants every operation, if it exists. */
export const readFullAdmin = (
  connection: Connection,
  orgId: OrganisationId,
): Promise<Permission | undefined> =>
  permissions.one(connection, { orgId, name: FULL_ADMIN_NAME, grantsEverything: true });

/** Reads the permission of this name that the service made in an organisation, if it exists. */
export const readManagedPermission = (
  connection: Connection,
  orgId: OrganisationId,
  name: string,
): Promise<Permission | undefined> =>
  permissions.one(connection, { orgId, name, isImmutable: true, isArchived: false });

/** Reads a permission of this organisation. */
export const readPermission = (
  connection: Connection,
  orgId: OrganisationId,
  id: PermissionId,
): Promise<Permission | undefined> => permissions.one(connection, { orgId, id });

/** Like readPermission, and locks the row until the transaction ends. */
export const lockPermission = (
  connection: Connection,
  orgId: OrganisationId,
  id: PermissionId,
): Promise<Permission | undefined> => permissions.one(connection, { orgId, id }, "for update");

/** Lists the permissions of an organisation that are not archived, newest first. */
export const listPermissions = (
  connection: Connection,
  orgId: OrganisationId,
  page: Page,
): Promise<Listed<Permission>> =>
  permissions.page(connection, "org_id = $1 and not is_archived", [orgId], page);

/**
 * Writes the columns of a permission that can change.
 * @returns false, and changes nothing, if another permission has the name
 */
export const updatePermission = async (connection: Connection, permission: Permission): Promise<boolean> => {
  const { id, orgId, name, operations, isArchived, dateUpdated } = permission;
  const changed = await connection.execute(
    `update permissions set name = $3, operations = $4, is_archived = $5, date_updated = $6
     where org_id = $1 and id = $2 and ($5 or not exists (
       select 1 from permissions other
       where other.org_id = $1 and other.name = $3 and other.id <> $2 and not other.is_archived))`,
    [orgId, id, name, JSON.stringify(operations), isArchived, dateUpdated],
  );
  return changed === 1;
};
