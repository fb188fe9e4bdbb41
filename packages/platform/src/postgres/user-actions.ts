import { type OrganisationId, organisationIdSchema, type UserId, userIdSchema } from "@conclave/custody";
import { z } from "zod";
import { bytes, date, optional } from "./columns.ts";
import type { Connection } from "./database.ts";

/** One request that a user was challenged to sign, and how far that has come. */
export interface UserAction {
  /** uuid */
  readonly id: string;
  readonly orgId: OrganisationId;
  readonly userId: UserId;
  readonly method: string;
  /** without query */
  readonly path: string;
  readonly payloadDigest: Uint8Array;
  readonly challenge: string;
  /** ISO 8601 UTC */
  readonly dateExpires: string;
  readonly dateSigned: string | undefined;
  readonly dateUsed: string | undefined;
}

const rowSchema = z
  .object({
    id: z.uuid(),
    org_id: organisationIdSchema,
    user_id: userIdSchema,
    method: z.string(),
    path: z.string(),
    payload_digest: bytes,
    challenge: z.string(),
    date_expires: date,
    date_signed: optional(date),
    date_used: optional(date),
  })
  .transform(
    (row): UserAction => ({
      id: row.id,
      orgId: row.org_id,
      userId: row.user_id,
      method: row.method,
      path: row.path,
      payloadDigest: row.payload_digest,
      challenge: row.challenge,
      dateExpires: row.date_expires,
      dateSigned: row.date_signed,
      dateUsed: row.date_used,
    }),
  );

export const insertUserAction = async (connection: Connection, action: UserAction): Promise<void> => {
  await connection.execute(
    `insert into user_actions (id, org_id, user_id, method, path, payload_digest, challenge, date_expires)
     values ($1, $2, $3, $4, $5, $6, $7, $8)`,
    [
      action.id,
      action.orgId,
      action.userId,
      action.method,
      action.path,
      action.payloadDigest,
      action.challenge,
      action.dateExpires,
    ],
  );
};

export const readUserAction = async (connection: Connection, id: string): Promise<UserAction | undefined> => {
  const [found] = await connection.rows(rowSchema, "select * from user_actions where id = $1", [id]);
  return found;
};

/** Marks an action as signed. @returns false when it was signed before: one challenge makes one token */
export const markUserActionSigned = async (connection: Connection, id: string): Promise<boolean> =>
  (await connection.execute(
    "update user_actions set date_signed = now() where id = $1 and date_signed is null",
    [id],
  )) === 1;

/** Uses up a signed action. @returns false when it was used before, also by a request at the same moment */
export const useUserAction = async (connection: Connection, id: string): Promise<boolean> =>
  (await connection.execute(
    "update user_actions set date_used = now() where id = $1 and date_signed is not null and date_used is null",
    [id],
  )) === 1;

/** Forgets actions whose time is over: their tokens are refused for that reason alone. */
export const pruneUserActions = (connection: Connection): Promise<number> =>
  connection.execute("delete from user_actions where date_expires < now() - interval '1 hour'");
