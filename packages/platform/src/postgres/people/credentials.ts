import {
  type CredentialUuid,
  credentialUuidSchema,
  type OrganisationId,
  organisationIdSchema,
  type TokenId,
  tokenIdSchema,
  type UserId,
  userIdSchema,
} from "@conclave/custody";
import { z } from "zod";
import { bytes, date, optional, safeNumber } from "../columns.ts";
import type { Connection } from "../database.ts";
import { listOf, selectionOf } from "../table/selection.ts";
import type { ValueOf } from "../table/stored-table.ts";
import { plainTable } from "../table/table.ts";
import { accessTokens } from "./access-tokens.ts";

export const CREDENTIAL_KINDS = ["Fido2", "Key", "PasswordProtectedKey", "RecoveryKey"] as const;

const credentials = plainTable("credentials", {
  /** credId, as clients send it */
  id: z.string(),
  /** the id that Conclave assigned */
  uuid: credentialUuidSchema,
  kind: z.enum(CREDENTIAL_KINDS),
  orgId: organisationIdSchema,
  userId: userIdSchema,
  name: z.string(),
  /** SPKI in PEM */
  publicKey: z.string(),
  isActive: z.boolean(),
  relyingPartyId: z.string(),
  origin: z.string(),
  /** for a PasswordProtectedKey or RecoveryKey; the client encrypted it, and Conclave cannot decrypt it */
  encryptedPrivateKey: optional(z.string()),
  /** for a Fido2 authenticator: its signature counter, and its public key in COSE encoding (RFC 9052) */
  signCount: safeNumber,
  coseKey: optional(bytes),
  /** the long-lived token whose actions it signs; undefined for a person's own credential */
  tokenId: optional(tokenIdSchema),
  /** ISO 8601 UTC */
  dateCreated: date,
});

/** A key with which a user signs actions. */
export type Credential = ValueOf<typeof credentials>;

/** Inserts a credential. @returns false, and changes nothing, if the organisation already has one with this credId */
export const insertCredential = (connection: Connection, credential: Credential): Promise<boolean> =>
  credentials.insert(connection, credential, "on conflict (org_id, id) do nothing");

/**
 * Must be taken before the row of any of a user's credentials is locked: nobody counts or deletes them while another
 * request switches one on or off.
 */
const holdCredentials = async (connection: Connection, userId: UserId): Promise<void> => {
  await connection.execute("select pg_advisory_xact_lock(hashtextextended($1, 0))", [
    `credentials of ${userId}`,
  ]);
};

/**
 * Makes room for one more of a user's own credentials, and keeps others from using the room until the transaction ends:
 * the oldest inactive ones are deleted.
 *
 * @param most credentials that a user may have
 * @returns false if that many are active
 */
export const makeRoomForCredential = async (
  connection: Connection,
  orgId: OrganisationId,
  userId: UserId,
  most: number,
): Promise<boolean> => {
  await holdCredentials(connection, userId);
  const [room] = await connection.rows(
    z.object({ active: z.int() }),
    `select count(*)::int as active from credentials
     where org_id = $1 and user_id = $2 and token_id is null and is_active`,
    [orgId, userId],
  );
  const active = room?.active ?? 0;
  if (active >= most) return false;
  await connection.execute(
    `delete from credentials where uuid in (
       select uuid from credentials where org_id = $1 and user_id = $2 and token_id is null and not is_active
       order by date_created desc, id desc offset $3) and not is_active`,
    [orgId, userId, most - 1 - active],
  );
  return true;
};

const OWN =
  "where org_id = $1 and user_id = $2 and token_id is null and date_archived is null order by date_created, id";

/** Lists a user's own credentials, oldest first, without those of long-lived tokens. */
export const listCredentials = (
  connection: Connection,
  orgId: OrganisationId,
  userId: UserId,
): Promise<readonly Credential[]> => credentials.listed(connection, OWN, [orgId, userId]);

/** Like listCredentials, and locks the rows until the transaction ends, so that nobody deactivates one meanwhile. */
export const lockCredentials = async (
  connection: Connection,
  orgId: OrganisationId,
  userId: UserId,
): Promise<readonly Credential[]> => {
  await holdCredentials(connection, userId);
  return credentials.rows(connection, `${OWN} for update`, [orgId, userId]);
};

/** Reads the credential of an organisation by its credId, unless it was deleted. */
export const readCredential = async (
  connection: Connection,
  orgId: OrganisationId,
  id: string,
): Promise<Credential | undefined> => {
  const [found] = await credentials.rows(
    connection,
    "where org_id = $1 and id = $2 and date_archived is null",
    [orgId, id],
  );
  return found;
};

const { columns: t } = accessTokens;

/**
 * Lists the credentials that sign the actions of a long-lived token, in any state, oldest first: the one that it was made
 * with, and those that its service account added.
 */
export const listCredentialsOfToken = (
  connection: Connection,
  orgId: OrganisationId,
  tokenId: TokenId,
): Promise<readonly Credential[]> =>
  connection.rows(
    credentials.row,
    `select ${listOf(credentials.shape, "c")}
     from access_tokens t join credentials c on c.org_id = t.${t.orgId} and c.user_id = t.${t.userId}
       and (c.id = t.${t.credId} or c.token_id = t.id)
     where t.${t.orgId} = $1 and t.id = $2 and c.date_archived is null
     order by c.date_created, c.id`,
    [orgId, tokenId],
  );

const named = selectionOf({ userId: userIdSchema, uuid: credentialUuidSchema });

/** Reads the uuid of each user's first active credential. */
export const readCredentialUuids = async (
  connection: Connection,
  orgId: OrganisationId,
  userIds: readonly UserId[],
): Promise<ReadonlyMap<string, CredentialUuid>> => {
  const rows = await connection.rows(
    named.row,
    `select distinct on (user_id) ${named.list} from credentials
     where org_id = $1 and user_id = any($2) and is_active order by user_id, date_created, id`,
    [orgId, userIds],
  );
  return new Map(rows.map(({ userId, uuid }) => [userId, uuid]));
};

export const setCredentialActive = async (
  connection: Connection,
  uuid: CredentialUuid,
  isActive: boolean,
): Promise<void> => {
  await connection.execute(
    "update credentials set is_active = $2 where uuid = $1 and date_archived is null",
    [uuid, isActive],
  );
};

/**
 * Deletes a credential for good. A person's own keeps its row as long as there is room, so that its credId is not registered again; the
 * id of a token's is the service's own, and its row goes.
 */
export const deleteCredential = async (
  connection: Connection,
  { uuid, tokenId }: Pick<Credential, "uuid" | "tokenId">,
  dateArchived: string,
): Promise<void> => {
  if (tokenId !== undefined) {
    await connection.execute("delete from credentials where uuid = $1", [uuid]);
    return;
  }
  await connection.execute(
    "update credentials set is_active = false, date_archived = $2 where uuid = $1 and date_archived is null",
    [uuid, dateArchived],
  );
};

/** Deactivates all of a person's own credentials. */
export const deactivateCredentials = async (
  connection: Connection,
  orgId: OrganisationId,
  userId: UserId,
): Promise<void> => {
  await connection.execute(
    "update credentials set is_active = false where org_id = $1 and user_id = $2 and token_id is null and is_active",
    [orgId, userId],
  );
};

/**
 * Locks a credential until the transaction ends, so that what is opened with it is there when another request deletes it or switches it off.
 *
 * @returns false if it does not sign any more
 */
export const lockSigning = async (connection: Connection, { uuid }: Credential): Promise<boolean> => {
  const rows = await credentials.rows(connection, "where uuid = $1 and is_active for update", [uuid]);
  return rows.length > 0;
};

/**
 * Stores the signature counter of an authenticator.
 *
 * @returns false if the stored counter is not lower: the signature was used before, or the authenticator was copied.
 * Authenticators without a counter always send 0
 */
export const countSignature = async (
  connection: Connection,
  { uuid }: Credential,
  signCount: number,
): Promise<boolean> =>
  (await connection.execute(
    "update credentials set sign_count = $2 where uuid = $1 and (sign_count < $2 or (sign_count = 0 and $2 = 0))",
    [uuid, signCount],
  )) === 1;

const { id, kind, userId } = credentials.shape;
const sample = selectionOf({ id, kind, userId });

/** The fields of a login credential that show its form. */
export type CredentialSample = Readonly<z.output<typeof sample.row>>;

const MOST_SAMPLES = 64;

/** Reads the oldest credentials of an organisation that login challenges may list; decoy lists imitate their form. */
export const readCredentialSamples = (
  connection: Connection,
  orgId: OrganisationId,
): Promise<readonly CredentialSample[]> =>
  connection.rows(
    sample.row,
    `select ${sample.list} from credentials
     where org_id = $1 and token_id is null and is_active and kind in ('Key', 'Fido2')
     order by date_created, id limit $2`,
    [orgId, MOST_SAMPLES],
  );
