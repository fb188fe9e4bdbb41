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

export const CREDENTIAL_KINDS = ["Fido2", "Key", "PasswordProtectedKey", "RecoveryKey"] as const;
export type CredentialKind = (typeof CREDENTIAL_KINDS)[number];

/** A key with which a user signs actions. */
export interface Credential {
  /** credId, as clients send it */
  readonly id: string;
  /** the id that Conclave gave it */
  readonly uuid: CredentialUuid;
  readonly kind: CredentialKind;
  readonly orgId: OrganisationId;
  readonly userId: UserId;
  readonly name: string;
  /** SPKI in PEM */
  readonly publicKey: string;
  readonly isActive: boolean;
  readonly relyingPartyId: string;
  readonly origin: string;
  /** of a PasswordProtectedKey or RecoveryKey; the client encrypted it, and Conclave cannot decrypt it */
  readonly encryptedPrivateKey: string | undefined;
  /** of a Fido2 authenticator: its signature counter, and its public key in its own encoding (RFC 9052) */
  readonly signCount: number;
  readonly coseKey: Uint8Array | undefined;
  /** the long-lived token whose actions it signs; undefined for a person's own credential */
  readonly tokenId: TokenId | undefined;
  /** ISO 8601 UTC */
  readonly dateCreated: string;
}

const rowSchema = z
  .object({
    id: z.string(),
    uuid: credentialUuidSchema,
    kind: z.enum(CREDENTIAL_KINDS),
    org_id: organisationIdSchema,
    user_id: userIdSchema,
    name: z.string(),
    public_key: z.string(),
    is_active: z.boolean(),
    relying_party_id: z.string(),
    origin: z.string(),
    encrypted_private_key: optional(z.string()),
    sign_count: safeNumber,
    cose_key: optional(bytes),
    token_id: optional(tokenIdSchema),
    date_created: date,
  })
  .transform(
    (row): Credential => ({
      id: row.id,
      uuid: row.uuid,
      kind: row.kind,
      orgId: row.org_id,
      userId: row.user_id,
      name: row.name,
      publicKey: row.public_key,
      isActive: row.is_active,
      relyingPartyId: row.relying_party_id,
      origin: row.origin,
      encryptedPrivateKey: row.encrypted_private_key,
      signCount: row.sign_count,
      coseKey: row.cose_key,
      tokenId: row.token_id,
      dateCreated: row.date_created,
    }),
  );

/** Inserts a credential. @returns false, and changes nothing, if the organisation has one with this credId */
export const insertCredential = async (connection: Connection, credential: Credential): Promise<boolean> =>
  (await connection.execute(
    `insert into credentials (id, uuid, kind, org_id, user_id, name, public_key, is_active, relying_party_id, origin,
       encrypted_private_key, sign_count, cose_key, token_id, date_created)
     values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15) on conflict (org_id, id) do nothing`,
    [
      credential.id,
      credential.uuid,
      credential.kind,
      credential.orgId,
      credential.userId,
      credential.name,
      credential.publicKey,
      credential.isActive,
      credential.relyingPartyId,
      credential.origin,
      credential.encryptedPrivateKey,
      credential.signCount,
      credential.coseKey,
      credential.tokenId,
      credential.dateCreated,
    ],
  )) === 1;

/** Taken before the row of any of a user's credentials is locked: nobody counts or forgets them while another switches one. */
const holdCredentials = async (connection: Connection, userId: UserId): Promise<void> => {
  await connection.execute("select pg_advisory_xact_lock(hashtextextended($1, 0))", [
    `credentials of ${userId}`,
  ]);
};

/**
 * Makes room for one more of a user's own credentials, and keeps others from taking it until the transaction ends: the oldest of those that are
 * not active are forgotten.
 * @param most credentials that a user may have
 * @returns false if so many are active
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

/** Lists a user's own credentials, oldest first, without those of long-lived tokens. */
export const listCredentials = (
  connection: Connection,
  orgId: OrganisationId,
  userId: UserId,
): Promise<readonly Credential[]> =>
  connection.listed(
    rowSchema,
    "select * from credentials where org_id = $1 and user_id = $2 and token_id is null order by date_created, id",
    [orgId, userId],
  );

/** Like listCredentials, and locks the rows until the transaction ends, so that nobody deactivates one meanwhile. */
export const lockCredentials = async (
  connection: Connection,
  orgId: OrganisationId,
  userId: UserId,
): Promise<readonly Credential[]> => {
  await holdCredentials(connection, userId);
  return connection.rows(
    rowSchema,
    `select * from credentials where org_id = $1 and user_id = $2 and token_id is null
     order by date_created, id for update`,
    [orgId, userId],
  );
};

/** Reads the credential of an organisation by its credId. */
export const readCredential = async (
  connection: Connection,
  orgId: OrganisationId,
  id: string,
): Promise<Credential | undefined> => {
  const [found] = await connection.rows(
    rowSchema,
    "select * from credentials where org_id = $1 and id = $2",
    [orgId, id],
  );
  return found;
};

/** Reads the credential that signs the actions of a long-lived token, in any state. */
export const readCredentialOfToken = async (
  connection: Connection,
  orgId: OrganisationId,
  tokenId: TokenId,
): Promise<Credential | undefined> => {
  const [found] = await connection.rows(
    rowSchema,
    `select c.* from credentials c join access_tokens t on t.org_id = c.org_id and t.cred_id = c.id
     where t.org_id = $1 and t.id = $2 and c.user_id = t.user_id`,
    [orgId, tokenId],
  );
  return found;
};

/** Reads the uuid of each user's first active credential. */
export const readCredentialUuids = async (
  connection: Connection,
  orgId: OrganisationId,
  userIds: readonly UserId[],
): Promise<ReadonlyMap<string, CredentialUuid>> => {
  const rows = await connection.rows(
    z.object({ user_id: userIdSchema, uuid: credentialUuidSchema }),
    `select distinct on (user_id) user_id, uuid from credentials
     where org_id = $1 and user_id = any($2) and is_active order by user_id, date_created, id`,
    [orgId, userIds],
  );
  return new Map(rows.map(({ user_id, uuid }) => [user_id, uuid]));
};

export const setCredentialActive = async (
  connection: Connection,
  uuid: CredentialUuid,
  isActive: boolean,
): Promise<void> => {
  await connection.execute("update credentials set is_active = $2 where uuid = $1", [uuid, isActive]);
};

/** Lets none of a person's own credentials sign any longer. */
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
 * Stores the signature counter of an authenticator.
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

/** A credential that somebody logs in with, as far as its form goes. */
export type CredentialSample = Pick<Credential, "id" | "kind" | "userId">;

const MOST_SAMPLES = 64;
const sampleSchema = z
  .object({ id: z.string(), kind: z.enum(CREDENTIAL_KINDS), user_id: userIdSchema })
  .transform(({ id, kind, user_id: userId }): CredentialSample => ({ id, kind, userId }));

/** Reads the oldest credentials of an organisation that challenges of logins list: what one looks like there. */
export const readCredentialSamples = (
  connection: Connection,
  orgId: OrganisationId,
): Promise<readonly CredentialSample[]> =>
  connection.rows(
    sampleSchema,
    `select id, kind, user_id from credentials
     where org_id = $1 and token_id is null and is_active and kind in ('Key', 'Fido2')
     order by date_created, id limit $2`,
    [orgId, MOST_SAMPLES],
  );
