import type { OrganisationId, UserId } from "@conclave/custody";
import {
  type Caller,
  type Connection,
  type Credential,
  listCredentials,
  listCredentialsOfToken,
} from "@conclave/platform";

/** The credentials with which a person may sign now. A recovery key signs only recoveries. */
export const personsCredentials = async (
  connection: Connection,
  orgId: OrganisationId,
  userId: UserId,
): Promise<readonly Credential[]> =>
  (await listCredentials(connection, orgId, userId)).filter(
    ({ isActive, kind }) => isActive && kind !== "RecoveryKey",
  );

/** The credentials with which a caller may sign now; under a long-lived token only those of the token. */
export const signingCredentials = async (
  connection: Connection,
  { orgId, userId, tokenKind, tokenId }: Caller,
): Promise<readonly Credential[]> => {
  if (tokenKind === "Token" || tokenId === undefined) return personsCredentials(connection, orgId, userId);
  return (await listCredentialsOfToken(connection, orgId, tokenId)).filter(({ isActive }) => isActive);
};
