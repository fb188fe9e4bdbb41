import {
  changeIdentity,
  type IdentityChange,
  type OrganisationId,
  type Result,
  type UserId,
} from "@conclave/custody";
import {
  archiveAccessTokens,
  type Connection,
  changeRights,
  endCredentialCodes,
  endSessions,
  lockUser,
  type User,
  updateUser,
} from "@conclave/platform";
import type { Dependencies } from "../dependencies.ts";
import { demand } from "../http/refused.ts";
import { mayLeave } from "./people.ts";

/** Finds and locks a user, as a person or as a service account. */
export type FindUser = (
  connection: Connection,
  orgId: OrganisationId,
  userId: UserId,
  read: typeof lockUser,
) => Promise<Result<User>>;

/**
 * Changes a user or a service account. A deactivated user is logged out; an archived user loses every token.
 * @throws Refused with errors of `find`, or AdministratorNeeded
 */
export const changeUser = (
  { database, now }: Pick<Dependencies, "database" | "now">,
  orgId: OrganisationId,
  userId: UserId,
  change: IdentityChange,
  find: FindUser,
): Promise<User> =>
  database.transaction(async (connection) => {
    await changeRights(connection, orgId);
    const date = now().toISOString();
    const user = demand(await find(connection, orgId, userId, lockUser));
    if (change.kind === "Deactivated" || change.kind === "Archived") demand(await mayLeave(connection, user));
    const changed = changeIdentity(user, change, date);
    await updateUser(connection, changed);
    if (change.kind === "Deactivated") {
      await endSessions(connection, orgId, userId, undefined);
      await endCredentialCodes(connection, userId);
    }
    if (change.kind === "Archived") await archiveAccessTokens(connection, orgId, userId, date);
    return changed;
  });
