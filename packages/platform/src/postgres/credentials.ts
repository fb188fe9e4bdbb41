import {
  type CredentialUuid,
  credentialUuidSchema,
  type OrganisationId,
  organisationIdSchema,
  type UserId,
  userIdSchema,
} from "@conclave/custody";
import { z } from "zod";
import { date, optional, safeNumber } from "./columns.ts";
import type { Connection } from "./database.ts";

export const CREDENTIAL_KINDS = ["Fido2", "Key", "PasswordProtectedKey", "RecoveryKey"] as const;
export type CredentialKind = (typeof CREDENTIAL_KINDS)[number];

/** A key with which a user signs actions. */
export interface Credential {
  /** credId, as clients send it */
  readonly id: string;
  /** our own name of it */
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
  /** of a PasswordProtectedKey or RecoveryKey: sealed by the client, of no use to us */
  readonly encryptedPrivateKey: string | undefined;
  /** of a Fido2 authenticator */
  readonly signCount: number;
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
      dateCreated: row.date_created,
    }),
  );

/** Adds a credential; one that exists already stays as it is. */
export const insertCredential = async (connection: Connection, credential: Credential): Promise<void> => {
  await connection.execute(
    `insert into credentials (id, uuid, kind, org_id, user_id, name, public_key, is_active, relying_party_id, origin,
       encrypted_private_key, sign_count, date_created)
     values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13) on conflict (id) do nothing`,
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
      credential.dateCreated,
    ],
  );
};

/** The credentials with which a user may sign now. */
export const listActiveCredentials = (
  connection: Connection,
  orgId: OrganisationId,
  userId: UserId,
): Promise<readonly Credential[]> =>
  connection.rows(
    rowSchema,
    "select * from credentials where org_id = $1 and user_id = $2 and is_active order by date_created, id",
    [orgId, userId],
  );
