import {
  assignmentIdSchema,
  END_USER_NAME,
  END_USER_OPERATIONS,
  type OrganisationId,
  permissionIdSchema,
  type World,
} from "@conclave/custody";
import {
  type Connection,
  insertAssignment,
  insertPermission,
  type Permission,
  readManagedPermission,
  type User,
} from "@conclave/platform";

/**
 * Assigns the permission of end users to an end user, even if, under an earlier version, the organisation gave its name
 * to a permission of its own.
 */
export const giveEndUserAccess = async (
  world: World,
  connection: Connection,
  { id: identityId, orgId, dateCreated }: User,
): Promise<void> => {
  const permission = await endUserAccess(world, connection, orgId, dateCreated);
  await insertAssignment(connection, {
    id: world.freshId(assignmentIdSchema, "as"),
    orgId,
    permissionId: permission.id,
    identityId,
    isImmutable: false,
    dateCreated,
    dateUpdated: dateCreated,
  });
};

const endUserAccess = async (
  world: World,
  connection: Connection,
  orgId: OrganisationId,
  date: string,
): Promise<Permission> => {
  const known = await readManagedPermission(connection, orgId, END_USER_NAME);
  if (known !== undefined) return known;
  await insertPermission(connection, {
    id: world.freshId(permissionIdSchema, "pm"),
    orgId,
    name: END_USER_NAME,
    operations: END_USER_OPERATIONS,
    grantsEverything: false,
    isImmutable: true,
    isArchived: false,
    dateCreated: date,
    dateUpdated: date,
  });
  // of two concurrent requests one made it, as the name is unique
  const made = await readManagedPermission(connection, orgId, END_USER_NAME);
  if (made === undefined) throw new Error(`the permission of end users of ${orgId} was not made`);
  return made;
};
