import { tokenIdSchema } from "@conclave/custody";
import {
  type Caller,
  type Connection,
  type Credential,
  endCredentialCodes,
  endSessions,
  fingerprintOf,
  putAccessToken,
  tokenHashOf,
  type User,
} from "@conclave/platform";
import type { Dependencies } from "../dependencies.ts";

const SESSION_SECONDS = 6 * 3_600;

/**
 * Opens a session: a token with a row, so that logging out ends it.
 * @param credential of the user's login; undefined when a caller vouched for the user
 * @returns the text of a token that is valid for six hours, and its caller
 */
export const openLogin = async (
  { issuer, now, world }: Pick<Dependencies, "issuer" | "now" | "world">,
  connection: Connection,
  user: User,
  credential: Pick<Credential, "id" | "publicKey"> | undefined,
): Promise<{ readonly text: string; readonly caller: Caller }> => {
  const { orgId, id: userId, username } = user;
  const tokenId = world.freshId(tokenIdSchema, "to");
  const caller: Caller = { orgId, userId, tokenKind: "Token", tokenId };
  const { text, dateExpires } = await issuer.bearer(caller, username, SESSION_SECONDS);
  await putAccessToken(connection, {
    id: tokenId,
    orgId,
    kind: "Token",
    name: username,
    userId,
    appId: undefined,
    credId: credential?.id ?? "",
    publicKey: credential === undefined ? "" : fingerprintOf(credential.publicKey),
    tokenHash: tokenHashOf(text),
    externalId: undefined,
    isActive: true,
    dateCreated: now().toISOString(),
    dateExpires,
    dateArchived: undefined,
  });
  return { text, caller };
};

/**
 * Ends the caller's session, or all of the user's sessions and codes for other devices. A long-lived token is no
 * session, and stays.
 */
export const closeSessions = (
  { database }: Pick<Dependencies, "database">,
  { orgId, userId, tokenId, tokenKind }: Caller,
  all: boolean,
): Promise<void> =>
  database.transaction(async (connection) => {
    if (all) {
      await endSessions(connection, orgId, userId, undefined);
      await endCredentialCodes(connection, userId);
    } else if (tokenKind === "Token") await endSessions(connection, orgId, userId, tokenId);
  });
