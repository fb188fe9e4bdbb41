import { type OrganisationId, organisationIdSchema, type UserId, userIdSchema } from "@conclave/custody";
import { z } from "zod";
import { date } from "./columns.ts";
import type { Connection } from "./database.ts";

/** A key with which a user signs actions. */
export interface Credential {
  /** credId, as clients send it */
  readonly id: string;
  readonly orgId: OrganisationId;
  readonly userId: UserId;
  readonly name: string;
  /** SPKI in PEM */
  readonly publicKey: string;
  readonly isActive: boolean;
  /** ISO 8601 UTC */
  readonly dateCreated: string;
}

const rowSchema = z
  .object({
    id: z.string(),
    org_id: organisationIdSchema,
    user_id: userIdSchema,
    name: z.string(),
    public_key: z.string(),
    is_active: z.boolean(),
    date_created: date,
  })
  .transform(
    (row): Credential => ({
      id: row.id,
      orgId: row.org_id,
      userId: row.user_id,
      name: row.name,
      publicKey: row.public_key,
      isActive: row.is_active,
      dateCreated: row.date_created,
    }),
  );

/** Adds a credential; one that exists already stays as it is. */
export const insertCredential = async (connection: Connection, credential: Credential): Promise<void> => {
  await connection.execute(
    `insert into credentials (id, org_id, user_id, name, public_key, is_active, date_created)
     values ($1, $2, $3, $4, $5, $6, $7) on conflict (id) do nothing`,
    [
      credential.id,
      credential.orgId,
      credential.userId,
      credential.name,
      credential.publicKey,
      credential.isActive,
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
