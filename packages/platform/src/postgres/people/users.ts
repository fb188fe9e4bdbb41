import { type OrganisationId, organisationIdSchema, type UserId, userIdSchema } from "@conclave/custody";
import { z } from "zod";
import { bytes, date, optional } from "../columns.ts";
import type { Connection, Listed } from "../database.ts";
import type { Page } from "../page.ts";
import type { ValueOf } from "../table/stored-table.ts";
import { plainTable } from "../table/table.ts";
import { applications } from "./applications.ts";

const USER_KINDS = ["CustomerEmployee", "EndUser"] as const;
export type UserKind = (typeof USER_KINDS)[number];

export const users = plainTable(
  "users",
  {
    id: userIdSchema,
    orgId: organisationIdSchema,
    username: z.string(),
    /** name of a service account; for people, the username */
    name: z.string(),
    kind: z.enum(USER_KINDS),
    isServiceAccount: z.boolean(),
    /** whether a person has registered a first credential */
    isRegistered: z.boolean(),
    isActive: z.boolean(),
    externalId: optional(z.string()),
    dateCreated: date,
    dateArchived: optional(date),
  },
  { key: ["orgId", "id"], changing: ["name", "externalId", "isActive", "isRegistered", "dateArchived"] },
);

/** Further columns of a user. */
export const userMarks = plainTable("users", {
  id: userIdSchema,
  /** for a machine user: the person who made it */
  madeBy: optional(userIdSchema),
  /** sessions without a row that were issued before this time are over */
  dateSessionsEnded: optional(date),
  registrationCodeHash: optional(bytes),
  dateRegistrationExpires: optional(date),
});

/** A person or a service account of an organisation. Dates are ISO 8601 UTC. */
export type User = ValueOf<typeof users>;

/**
 * Inserts a user.
 * @returns false, and changes nothing, if the id exists or the organisation has a user of this name
 */
export const insertUser = (connection: Connection, user: User): Promise<boolean> =>
  users.insert(connection, user, "on conflict do nothing");

/** Reads a user of this organisation that is not archived. */
export const readUser = (
  connection: Connection,
  orgId: OrganisationId,
  id: UserId,
): Promise<User | undefined> => users.one(connection, { orgId, id, dateArchived: null });

/** Like readUser, and locks the row until the transaction ends. */
export const lockUser = (
  connection: Connection,
  orgId: OrganisationId,
  id: UserId,
): Promise<User | undefined> => users.one(connection, { orgId, id, dateArchived: null }, "for update");

/** Reads the person with this username; service accounts and applications are not found by name. */
export const readPersonNamed = (
  connection: Connection,
  orgId: OrganisationId,
  username: string,
): Promise<User | undefined> =>
  users.one(connection, { orgId, username, dateArchived: null, isServiceAccount: false });

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
  users.page(
    connection,
    `org_id = $1 and date_archived is null and is_service_account = $2 and ($3::text is null or kind = $3)
       and not exists (select from applications a where a.${applications.columns.userId} = users.id)`,
    [orgId, filter.isServiceAccount, filter.isServiceAccount ? null : (filter.kind ?? null)],
    page,
  );

/** Whether an application acts as this user. The API does not show such users. */
export const isApplicationUser = async (connection: Connection, userId: UserId): Promise<boolean> =>
  (
    await connection.rows(
      z.unknown(),
      `select from applications where ${applications.columns.userId} = $1 limit 1`,
      [userId],
    )
  ).length > 0;

/** Records the person who made a machine user; if a machine made it, that is the person who made that machine. */
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
  await users.update(connection, user);
};

/** Ends all sessions of a user without a row, as the launcher issues them: those that were issued until now. */
export const endUnrecordedSessions = async (
  connection: Connection,
  orgId: OrganisationId,
  id: UserId,
): Promise<void> => {
  await connection.execute("update users set date_sessions_ended = now() where org_id = $1 and id = $2", [
    orgId,
    id,
  ]);
};
