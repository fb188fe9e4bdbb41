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

/** A named list of operations that is assigned to identities. Dates are ISO 8601 UTC. */
export interface Permission {
  readonly id: PermissionId;
  readonly orgId: OrganisationId;
  readonly name: string;
  readonly operations: readonly Operation[];
  /** grants every operation, also those of later versions */
  readonly grantsEverything: boolean;
  /** made by the service; nobody can change or archive it */
  readonly isImmutable: boolean;
  readonly isArchived: boolean;
  readonly dateCreated: string;
  readonly dateUpdated: string;
}

const permissionRowSchema = z
  .object({
    id: permissionIdSchema,
    org_id: organisationIdSchema,
    name: z.string(),
    operations: z.array(operationSchema),
    grants_everything: z.boolean(),
    is_immutable: z.boolean(),
    is_archived: z.boolean(),
    date_created: date,
    date_updated: date,
  })
  .transform(
    (row): Permission => ({
      id: row.id,
      orgId: row.org_id,
      name: row.name,
      operations: row.grants_everything ? OPERATIONS : row.operations,
      grantsEverything: row.grants_everything,
      isImmutable: row.is_immutable,
      isArchived: row.is_archived,
      dateCreated: row.date_created,
      dateUpdated: row.date_updated,
    }),
  );

/** Inserts a permission. @returns false, and changes nothing, if the organisation has one of this name */
export const insertPermission = async (connection: Connection, permission: Permission): Promise<boolean> =>
  (await connection.execute(
    `insert into permissions (id, org_id, name, operations, grants_everything, is_immutable, is_archived,
       date_created, date_updated)
     values ($1, $2, $3, $4, $5, $6, $7, $8, $9) on conflict do nothing`,
    [
      permission.id,
      permission.orgId,
      permission.name,
      JSON.stringify(permission.operations),
      permission.grantsEverything,
      permission.isImmutable,
      permission.isArchived,
      permission.dateCreated,
      permission.dateUpdated,
    ],
  )) === 1;

/** Reads the permission of an organisation that grants every operation, if it exists. */
export const readFullAdmin = async (
  connection: Connection,
  orgId: OrganisationId,
): Promise<Permission | undefined> => {
  const [found] = await connection.rows(
    permissionRowSchema,
    "select * from permissions where org_id = $1 and name = $2 and grants_everything",
    [orgId, FULL_ADMIN_NAME],
  );
  return found;
};

/** Reads the permission of this name that the service made in an organisation, if it exists. */
export const readManagedPermission = async (
  connection: Connection,
  orgId: OrganisationId,
  name: string,
): Promise<Permission | undefined> => {
  const [found] = await connection.rows(
    permissionRowSchema,
    "select * from permissions where org_id = $1 and name = $2 and is_immutable and not is_archived",
    [orgId, name],
  );
  return found;
};

/** Reads a permission of this organisation. */
export const readPermission = async (
  connection: Connection,
  orgId: OrganisationId,
  id: PermissionId,
): Promise<Permission | undefined> => {
  const [found] = await connection.rows(
    permissionRowSchema,
    "select * from permissions where org_id = $1 and id = $2",
    [orgId, id],
  );
  return found;
};

/** Like readPermission, and locks the row until the transaction ends. */
export const lockPermission = async (
  connection: Connection,
  orgId: OrganisationId,
  id: PermissionId,
): Promise<Permission | undefined> => {
  const [found] = await connection.rows(
    permissionRowSchema,
    "select * from permissions where org_id = $1 and id = $2 for update",
    [orgId, id],
  );
  return found;
};

/** Lists the permissions of an organisation that are not archived, newest first. */
export const listPermissions = (
  connection: Connection,
  orgId: OrganisationId,
  page: Page,
): Promise<Listed<Permission>> =>
  connection.listed(
    permissionRowSchema,
    `select * from permissions
     where org_id = $1 and not is_archived and ($2::timestamptz is null or (date_created, id) < ($2, $3))
     order by date_created desc, id desc limit $4`,
    [orgId, page.after?.date ?? null, page.after?.id ?? null, page.limit],
  );

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
