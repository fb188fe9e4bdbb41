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

/** Kinds of access tokens: three long-lived ones, and "Token", the session of a logged-in user. */
const ACCESS_TOKEN_KINDS = ["Pat", "ServiceAccount", "Application", "Token"] as const;
export type AccessTokenKind = (typeof ACCESS_TOKEN_KINDS)[number];

/** A bearer token, without its text. Dates are ISO 8601 UTC. */
export interface AccessToken {
  readonly id: TokenId;
  readonly orgId: OrganisationId;
  readonly kind: AccessTokenKind;
  readonly name: string;
  readonly userId: UserId;
  readonly appId: ApplicationId | undefined;
  /** credId of the credential that signs actions under this token */
  readonly credId: string;
  /** fingerprint, SHA256:<base64 without padding> (wire interface, section B.5) */
  readonly publicKey: string;
  /** SHA-256 of the token's text */
  readonly tokenHash: Uint8Array;
  readonly externalId: string | undefined;
  readonly isActive: boolean;
  readonly dateCreated: string;
  readonly dateExpires: string;
  readonly dateArchived: string | undefined;
}

/** A token on record. */
export interface StoredAccessToken extends AccessToken {
  /** whether it has, or once had, permissions of its own (019_doors.sql): it is never again worth all that its user may do */
  readonly isNarrowed: boolean;
}

const accessTokenRowSchema = z
  .object({
    id: tokenIdSchema,
    org_id: organisationIdSchema,
    kind: z.enum(ACCESS_TOKEN_KINDS),
    name: z.string(),
    user_id: userIdSchema,
    app_id: applicationIdSchema.nullable(),
    cred_id: z.string(),
    public_key: z.string(),
    token_hash: bytes,
    external_id: optional(z.string()),
    is_active: z.boolean(),
    is_narrowed: z.boolean(),
    date_created: date,
    date_expires: date,
    date_archived: optional(date),
  })
  .transform(
    (row): StoredAccessToken => ({
      id: row.id,
      orgId: row.org_id,
      kind: row.kind,
      name: row.name,
      userId: row.user_id,
      appId: row.app_id ?? undefined,
      credId: row.cred_id,
      publicKey: row.public_key,
      tokenHash: row.token_hash,
      externalId: row.external_id,
      isActive: row.is_active,
      isNarrowed: row.is_narrowed,
      dateCreated: row.date_created,
      dateExpires: row.date_expires,
      dateArchived: row.date_archived,
    }),
  );

/** Inserts a token. If it exists, replaces its hash by that of the newly issued text. */
export const putAccessToken = async (connection: Connection, token: AccessToken): Promise<void> => {
  await connection.execute(
    `insert into access_tokens (id, org_id, kind, name, user_id, app_id, cred_id, public_key, token_hash, external_id,
       is_active, date_created, date_expires, date_archived)
     values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14)
     on conflict (id) do update set token_hash = excluded.token_hash, date_expires = excluded.date_expires`,
    [
      token.id,
      token.orgId,
      token.kind,
      token.name,
      token.userId,
      token.appId,
      token.credId,
      token.publicKey,
      token.tokenHash,
      token.externalId,
      token.isActive,
      token.dateCreated,
      token.dateExpires,
      token.dateArchived,
    ],
  );
};

/** Reads a token of this organisation that is not archived. */
export const readAccessToken = async (
  connection: Connection,
  orgId: OrganisationId,
  id: TokenId,
): Promise<StoredAccessToken | undefined> => {
  const [found] = await connection.rows(
    accessTokenRowSchema,
    "select * from access_tokens where org_id = $1 and id = $2 and date_archived is null",
    [orgId, id],
  );
  return found;
};

/** Like readAccessToken, and locks the row until the transaction ends. */
export const lockAccessToken = async (
  connection: Connection,
  orgId: OrganisationId,
  id: TokenId,
): Promise<StoredAccessToken | undefined> => {
  const [found] = await connection.rows(
    accessTokenRowSchema,
    "select * from access_tokens where org_id = $1 and id = $2 and date_archived is null for update",
    [orgId, id],
  );
  return found;
};

/** Lists the long-lived tokens of these users or applications that are not archived, oldest first. */
export const listAccessTokens = (
  connection: Connection,
  orgId: OrganisationId,
  kind: Exclude<AccessTokenKind, "Token">,
  owners: readonly (UserId | ApplicationId)[],
): Promise<readonly StoredAccessToken[]> =>
  connection.listed(
    accessTokenRowSchema,
    `select * from access_tokens
     where org_id = $1 and kind = $2 and (user_id = any($3) or app_id = any($3)) and date_archived is null
     order by date_created, id`,
    [orgId, kind, owners],
  );

/** Writes the columns of a token that can change. */
export const updateAccessToken = async (connection: Connection, token: AccessToken): Promise<void> => {
  await connection.execute(
    `update access_tokens set name = $3, external_id = $4, is_active = $5, date_archived = $6
     where org_id = $1 and id = $2`,
    [token.orgId, token.id, token.name, token.externalId, token.isActive, token.dateArchived],
  );
};

/** Archives all tokens of a user, including sessions; none of them is accepted any more. */
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
 * Ends one session of a user, or all of them. Long-lived tokens stay. A session's token without a row, as the launcher issues
 * them, cannot be ended alone: all of them end that were issued until now.
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
  await connection.execute("update users set date_sessions_ended = now() where org_id = $1 and id = $2", [
    orgId,
    userId,
  ]);
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
