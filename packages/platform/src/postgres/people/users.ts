import { type OrganisationId, organisationIdSchema, type UserId, userIdSchema } from "@conclave/custody";
import { z } from "zod";
import { date, optional } from "../columns.ts";
import type { Connection, Listed } from "../database.ts";
import type { Page } from "../page.ts";

export const USER_KINDS = ["CustomerEmployee", "EndUser"] as const;
export type UserKind = (typeof USER_KINDS)[number];

/** A person or a service account of an organisation. Dates are ISO 8601 UTC. */
export interface User {
  readonly id: UserId;
  readonly orgId: OrganisationId;
  readonly username: string;
  /** name of a service account; for people, the username */
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

const userRowSchema = z
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
 * Inserts a user.
 * @returns false, and changes nothing, if the id exists or the organisation has a user of this name
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

/** Reads a user of this organisation that is not archived. */
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

/** Like readUser, and locks the row until the transaction ends. */
export const lockUser = async (
  connection: Connection,
  orgId: OrganisationId,
  id: UserId,
): Promise<User | undefined> => {
  const [found] = await connection.rows(
    userRowSchema,
    "select * from users where org_id = $1 and id = $2 and date_archived is null for update",
    [orgId, id],
  );
  return found;
};

/** Reads the person with this username; service accounts and applications are not found by name. */
export const readPersonNamed = async (
  connection: Connection,
  orgId: OrganisationId,
  username: string,
): Promise<User | undefined> => {
  const [found] = await connection.rows(
    userRowSchema,
    `select * from users
     where org_id = $1 and username = $2 and date_archived is null and not is_service_account`,
    [orgId, username],
  );
  return found;
};

/** Selects people or service accounts. Neither list contains the users as which applications act. */
export type UserFilter =
  | { readonly isServiceAccount: true }
  | { readonly isServiceAccount: false; readonly kind: UserKind | undefined };

/** Lists the users of an organisation that are not archived, newest first. */
export const listUsers = (
  connection: Connection,
  orgId: OrganisationId,
  filter: UserFilter,
  page: Page,
): Promise<Listed<User>> =>
  connection.listed(
    userRowSchema,
    `select * from users u
     where org_id = $1 and date_archived is null and is_service_account = $2 and ($3::text is null or kind = $3)
       and not exists (select 1 from applications a where a.user_id = u.id)
       and ($4::timestamptz is null or (date_created, id) < ($4, $5))
     order by date_created desc, id desc limit $6`,
    [
      orgId,
      filter.isServiceAccount,
      filter.isServiceAccount ? null : (filter.kind ?? null),
      page.after?.date ?? null,
      page.after?.id ?? null,
      page.limit,
    ],
  );

/** Whether an application acts as this user. The API does not show such users. */
export const isApplicationUser = async (connection: Connection, id: UserId): Promise<boolean> =>
  (
    await connection.rows(z.object({ id: z.string() }), "select id from applications where user_id = $1", [
      id,
    ])
  ).length > 0;

/** Puts on record who made a machine; one that another machine made is its maker's. */
export const recordMaker = async (
  connection: Connection,
  { orgId, id }: Pick<User, "orgId" | "id">,
  maker: UserId,
): Promise<void> => {
  await connection.execute(
    `update users set made_by = coalesce((select m.made_by from users m where m.org_id = $1 and m.id = $3), $3)
     where org_id = $1 and id = $2`,
    [orgId, id, maker],
  );
};

/** Writes the columns of a user that can change. */
export const updateUser = async (connection: Connection, user: User): Promise<void> => {
  await connection.execute(
    `update users set name = $3, external_id = $4, is_active = $5, is_registered = $6, date_archived = $7
     where org_id = $1 and id = $2`,
    [user.orgId, user.id, user.name, user.externalId, user.isActive, user.isRegistered, user.dateArchived],
  );
};
