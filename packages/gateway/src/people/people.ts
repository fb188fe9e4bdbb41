import {
  type CreateUserBody,
  type DelegatedRegistrationBody,
  fail,
  type OrganisationId,
  ok,
  type Result,
  type UserId,
  userIdSchema,
  type World,
} from "@conclave/custody";
import {
  type Connection,
  insertUser,
  isApplicationUser,
  keepsAdministrator,
  readUser,
  type User,
} from "@conclave/platform";

/** Makes a user of an organisation who has registered no credential yet. */
export const newPerson = (
  world: World,
  orgId: OrganisationId,
  { email, kind, externalId }: CreateUserBody | DelegatedRegistrationBody,
  dateCreated: string,
): User => ({
  id: world.freshId(userIdSchema, "us"),
  orgId,
  username: email,
  name: email,
  kind,
  isServiceAccount: false,
  isRegistered: false,
  isActive: true,
  externalId,
  dateCreated,
  dateArchived: undefined,
});

/** Adds a user. @returns UserNameTaken when the organisation has one of this name */
export const addUser = async (connection: Connection, user: User): Promise<Result<User>> =>
  (await insertUser(connection, user)) ? ok(user) : fail("UserNameTaken", { username: user.username });

/** A person of the organisation; service accounts and applications are not persons (INV-11). */
export const visiblePerson = async (
  connection: Connection,
  orgId: OrganisationId,
  userId: UserId,
  read: typeof readUser = readUser,
): Promise<Result<User>> => {
  const user = await read(connection, orgId, userId);
  return user === undefined || user.isServiceAccount ? fail("UserNotFound", { userId, orgId }) : ok(user);
};

/** Reads a service account of the organisation; not the account as which an application acts. */
export const visibleServiceAccount = async (
  connection: Connection,
  orgId: OrganisationId,
  serviceAccountId: UserId,
  read: typeof readUser = readUser,
): Promise<Result<User>> => {
  const user = await read(connection, orgId, serviceAccountId);
  const isShown = user?.isServiceAccount === true && !(await isApplicationUser(connection, user.id));
  return isShown ? ok(user) : fail("ServiceAccountNotFound", { serviceAccountId, orgId });
};

/** Judges whether a user may be deactivated or archived. @returns AdministratorNeeded for the last user with all permissions */
export const mayLeave = async (
  connection: Connection,
  { orgId, id }: Pick<User, "orgId" | "id">,
): Promise<Result<void>> =>
  (await keepsAdministrator(connection, orgId, id)) ? ok(undefined) : fail("AdministratorNeeded");
