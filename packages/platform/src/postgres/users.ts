import { type OrganisationId, organisationIdSchema, type UserId, userIdSchema } from "@conclave/custody";
import { z } from "zod";
import { date, optional } from "./columns.ts";
import type { Connection } from "./database.ts";

export const USER_KINDS = ["CustomerEmployee", "EndUser"] as const;
export type UserKind = (typeof USER_KINDS)[number];

/** A person or a service account of an organisation. Dates are ISO 8601 UTC. */
export interface User {
  readonly id: UserId;
  readonly orgId: OrganisationId;
  readonly username: string;
  /** what a service account is called; people have their username */
  readonly name: string;
  readonly kind: UserKind;
  readonly isServiceAccount: boolean;
  /** whether a person has registered a first credential */
  readonly isRegistered: boolean;
  readonly isActive: boolean;
  readonly externalId: string | undefined;
  readonly dateCreated: string;
  readonly dateArchived: string | undefined;
}

export const userRowSchema = z
  .object({
    id: userIdSchema,
    org_id: organisationIdSchema,
    username: z.string(),
    name: z.string(),
    kind: z.enum(USER_KINDS),
    is_service_account: z.boolean(),
    is_registered: z.boolean(),
    is_active: z.boolean(),
    external_id: optional(z.string()),
    date_created: date,
    date_archived: optional(date),
  })
  .transform(
    (row): User => ({
      id: row.id,
      orgId: row.org_id,
      username: row.username,
      name: row.name,
      kind: row.kind,
      isServiceAccount: row.is_service_account,
      isRegistered: row.is_registered,
      isActive: row.is_active,
      externalId: row.external_id,
      dateCreated: row.date_created,
      dateArchived: row.date_archived,
    }),
  );

/**
 * Adds a user.
 * @returns false, and changes nothing, when the id is there or the organisation has a user of this name
 */
export const insertUser = async (connection: Connection, user: User): Promise<boolean> =>
  (await connection.execute(
    `insert into users (id, org_id, username, name, kind, is_service_account, is_registered, is_active, external_id,
       date_created, date_archived)
     values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11) on conflict do nothing`,
    [
      user.id,
      user.orgId,
      user.username,
      user.name,
      user.kind,
      user.isServiceAccount,
      user.isRegistered,
      user.isActive,
      user.externalId,
      user.dateCreated,
      user.dateArchived,
    ],
  )) === 1;

/** A user of this organisation that is not archived. */
export const readUser = async (
  connection: Connection,
  orgId: OrganisationId,
  id: UserId,
): Promise<User | undefined> => {
  const [found] = await connection.rows(
    userRowSchema,
    "select * from users where org_id = $1 and id = $2 and date_archived is null",
    [orgId, id],
  );
  return found;
};
