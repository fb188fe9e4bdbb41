import {
  type AccessTokenView,
  type ApplicationView,
  accessTokenView,
  applicationView,
  type OrganisationId,
  type UserView,
  userView,
} from "@conclave/custody";
import {
  type AccessToken,
  type Application,
  type Connection,
  listAccessTokens,
  readAssignedPermissions,
  readCredentialUuids,
  type User,
} from "@conclave/platform";
import type { ServiceAccountView } from "../schemas/people/people.ts";

/** Users in the API's form, with their permissions. */
export const showUsers = async (
  connection: Connection,
  orgId: OrganisationId,
  users: readonly User[],
): Promise<readonly UserView[]> => {
  const ids = users.map(({ id }) => id);
  const assigned = await readAssignedPermissions(connection, orgId, ids);
  const credentials = await readCredentialUuids(connection, orgId, ids);
  return users.map((user) => userView(user, credentials.get(user.id), assigned.get(user.id) ?? []));
};

export const showUser = async (connection: Connection, user: User): Promise<UserView> => {
  const assigned = await readAssignedPermissions(connection, user.orgId, [user.id]);
  const credentials = await readCredentialUuids(connection, user.orgId, [user.id]);
  return userView(user, credentials.get(user.id), assigned.get(user.id) ?? []);
};

/** Tokens in the API's form, without their texts, which are not stored. */
export const showTokens = async (
  connection: Connection,
  orgId: OrganisationId,
  tokens: readonly AccessToken[],
): Promise<readonly AccessTokenView[]> => {
  const assigned = await readAssignedPermissions(
    connection,
    orgId,
    tokens.map(({ id }) => id),
  );
  return tokens.map((token) => accessTokenView(token, assigned.get(token.id) ?? []));
};

export const showToken = async (connection: Connection, token: AccessToken): Promise<AccessTokenView> => {
  const assigned = await readAssignedPermissions(connection, token.orgId, [token.id]);
  return accessTokenView(token, assigned.get(token.id) ?? []);
};

export const showServiceAccounts = async (
  connection: Connection,
  orgId: OrganisationId,
  users: readonly User[],
): Promise<readonly ServiceAccountView[]> => {
  const ids = users.map(({ id }) => id);
  const tokens = await listAccessTokens(connection, orgId, "ServiceAccount", ids);
  const shown = await showTokens(connection, orgId, tokens);
  return (await showUsers(connection, orgId, users)).map((userInfo) => ({
    userInfo,
    accessTokens: shown.filter(({ linkedUserId }) => linkedUserId === userInfo.userId),
  }));
};

export const showServiceAccount = async (connection: Connection, user: User): Promise<ServiceAccountView> => {
  const tokens = await listAccessTokens(connection, user.orgId, "ServiceAccount", [user.id]);
  return {
    userInfo: await showUser(connection, user),
    accessTokens: await showTokens(connection, user.orgId, tokens),
  };
};

export const showApplications = async (
  connection: Connection,
  orgId: OrganisationId,
  applications: readonly Application[],
): Promise<readonly ApplicationView[]> => {
  const ids = applications.map(({ id }) => id);
  const assigned = await readAssignedPermissions(connection, orgId, ids);
  const tokens = await listAccessTokens(connection, orgId, "Application", ids);
  const shown = await showTokens(connection, orgId, tokens);
  return applications.map((application) =>
    applicationView(
      application,
      assigned.get(application.id) ?? [],
      shown.filter(({ linkedAppId }) => linkedAppId === application.id),
    ),
  );
};

export const showApplication = async (
  connection: Connection,
  application: Application,
): Promise<ApplicationView> => {
  const assigned = await readAssignedPermissions(connection, application.orgId, [application.id]);
  const tokens = await listAccessTokens(connection, application.orgId, "Application", [application.id]);
  return applicationView(
    application,
    assigned.get(application.id) ?? [],
    await showTokens(connection, application.orgId, tokens),
  );
};
