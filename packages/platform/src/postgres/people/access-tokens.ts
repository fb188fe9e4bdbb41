import {
  type ApplicationId,
  applicationIdSchema,
  type OrganisationId,
  organisationIdSchema,
  type TokenId,
  tokenIdSchema,
  type UserId,
  userIdSchema,
} from "@conclave/custody";
import { z } from "zod";
import { bytes, date, optional } from "../columns.ts";
import type { Connection } from "../database.ts";
import type { ValueOf } from "../table/stored-table.ts";
import { plainTable } from "../table/table.ts";
import { endUnrecordedSessions } from "./users.ts";

export const accessTokens = plainTable(
  "access_tokens",
  {
    id: tokenIdSchema,
    orgId: organisationIdSchema,
    /** three long-lived ones, and "Token", the session of a logged-in user */
    kind: z.enum(["Pat", "ServiceAccount", "Application", "Token"]),
    name: z.string(),
    userId: userIdSchema,
    appId: optional(applicationIdSchema),
    /** credId of the credential that signs actions under this token */
    credId: z.string(),
    /** fingerprint, SHA256:<base64 without padding> (wire interface, section B.5) */
    publicKey: z.string(),
    /** SHA-256 of the token's text */
    tokenHash: bytes,
    externalId: optional(z.string()),
    isActive: z.boolean(),
    /** whether it has, or ever had, permissions of its own (019_doors.sql): then it never again has all rights of its user */
    isNarrowed: z.boolean(),
    dateCreated: date,
    dateExpires: date,
    dateArchived: optional(date),
  },
  {
    key: ["orgId", "id"],
    changing: ["name", "externalId", "isActive", "dateArchived"],
    generated: ["isNarrowed"],
  },
);

/** A stored token. */
export type StoredAccessToken = ValueOf<typeof accessTokens>;
/** A bearer token, without its text. Dates are ISO 8601 UTC. */
export type AccessToken = Omit<StoredAccessToken, "isNarrowed">;
export type AccessTokenKind = AccessToken["kind"];

/** Inserts a token. If it exists, replaces its hash by that of the newly issued text. */
export const putAccessToken = async (connection: Connection, token: AccessToken): Promise<void> => {
  await accessTokens.insert(
    connection,
    token,
    "on conflict (id) do update set token_hash = excluded.token_hash, date_expires = excluded.date_expires",
  );
};

/** Reads a token of this organisation that is not archived. */
export const readAccessToken = (
  connection: Connection,
  orgId: OrganisationId,
  id: TokenId,
): Promise<StoredAccessToken | undefined> => accessTokens.one(connection, { orgId, id, dateArchived: null });

/** Like readAccessToken, and locks the row until the transaction ends. */
export const lockAccessToken = (
  connection: Connection,
  orgId: OrganisationId,
  id: TokenId,
): Promise<StoredAccessToken | undefined> =>
  accessTokens.one(connection, { orgId, id, dateArchived: null }, "for update");

/** Lists the long-lived tokens of these users or applications that are not archived, oldest first. */
export const listAccessTokens = (
  connection: Connection,
  orgId: OrganisationId,
  kind: Exclude<AccessTokenKind, "Token">,
  owners: readonly (UserId | ApplicationId)[],
): Promise<readonly StoredAccessToken[]> =>
  accessTokens.listed(
    connection,
    `where org_id = $1 and kind = $2 and (user_id = any($3) or app_id = any($3)) and date_archived is null
     order by date_created, id`,
    [orgId, kind, owners],
  );

/** Writes the columns of a token that can change. */
export const updateAccessToken = async (connection: Connection, token: AccessToken): Promise<void> => {
  await accessTokens.update(connection, token);
};

/** Names another credential as the one that a token shows, after the one that it showed was deleted. */
export const showCredentialOfToken = async (
  connection: Connection,
  { orgId, id }: Pick<AccessToken, "orgId" | "id">,
  { credId, publicKey }: Pick<AccessToken, "credId" | "publicKey">,
): Promise<void> => {
  await connection.execute(
    "update access_tokens set cred_id = $3, public_key = $4 where org_id = $1 and id = $2",
    [orgId, id, credId, publicKey],
  );
};

/** Archives all tokens of a user, including sessions, so that none is accepted any more. */
export const archiveAccessTokens = async (
  connection: Connection,
  orgId: OrganisationId,
  userId: UserId,
  dateArchived: string,
): Promise<void> => {
  await connection.execute(
    `update access_tokens set is_active = false, date_archived = $3
     where org_id = $1 and user_id = $2 and date_archived is null`,
    [orgId, userId, dateArchived],
  );
};

/**
 * Ends one session of a user, or all of them. Long-lived tokens stay. A session token without a row, as the launcher
 * issues it, cannot be ended alone: all such tokens that were issued until now end.
 */
export const endSessions = async (
  connection: Connection,
  orgId: OrganisationId,
  userId: UserId,
  tokenId: TokenId | undefined,
): Promise<void> => {
  const ended = await connection.execute(
    `update access_tokens set is_active = false
     where org_id = $1 and user_id = $2 and kind = 'Token' and ($3::text is null or id = $3)`,
    [orgId, userId, tokenId],
  );
  if (tokenId !== undefined && ended > 0) return;
  await endUnrecordedSessions(connection, orgId, userId);
};

/**
 * Ends the sessions that a user opened with a credential.
 * @param except a session that is kept
 */
export const endSessionsOfCredential = async (
  connection: Connection,
  orgId: OrganisationId,
  userId: UserId,
  credentialId: string,
  except: TokenId | undefined,
): Promise<void> => {
  await connection.execute(
    `update access_tokens set is_active = false
     where org_id = $1 and user_id = $2 and kind = 'Token' and cred_id = $3 and ($4::text is null or id <> $4)`,
    [orgId, userId, credentialId, except],
  );
};
