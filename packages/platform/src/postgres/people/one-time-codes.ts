import { type OrganisationId, organisationIdSchema, type UserId, userIdSchema } from "@conclave/custody";
import { z } from "zod";
import { bytes, date } from "../columns.ts";
import type { Connection } from "../database.ts";

/** What a code is good for: a recovery, or a credential of another device. */
export type CodePurpose = "recovery" | "credential";

/** The stored form of a code that serves once. */
export interface OneTimeCode {
  readonly purpose: CodePurpose;
  readonly orgId: OrganisationId;
  readonly userId: UserId;
  /** SHA-256 of the code */
  readonly hash: Uint8Array;
  /** ISO 8601 UTC */
  readonly dateExpires: string;
}

const rowSchema = z
  .object({
    purpose: z.enum(["recovery", "credential"]),
    org_id: organisationIdSchema,
    user_id: userIdSchema,
    code_hash: bytes,
    date_expires: date,
  })
  .transform(
    (row): OneTimeCode => ({
      purpose: row.purpose,
      orgId: row.org_id,
      userId: row.user_id,
      hash: row.code_hash,
      dateExpires: row.date_expires,
    }),
  );

/** Codes with the organisation of their user, who may still act. */
const CODES = `select c.*, u.org_id from one_time_codes c join users u on u.id = c.user_id
  where u.is_active and u.is_registered and u.date_archived is null`;

/** Sets the code of a user for a purpose, replacing any earlier one. */
export const putOneTimeCode = async (
  connection: Connection,
  { purpose, userId, hash, dateExpires }: Omit<OneTimeCode, "orgId">,
): Promise<void> => {
  await connection.execute(
    `insert into one_time_codes (purpose, user_id, code_hash, date_expires) values ($1, $2, $3, $4)
     on conflict (user_id, purpose) do update set code_hash = excluded.code_hash, date_expires = excluded.date_expires`,
    [purpose, userId, hash, dateExpires],
  );
};

/** Reads the code by which a person of this name recovers, who is registered and neither deactivated nor archived. */
export const readRecoveryCode = async (
  connection: Connection,
  orgId: OrganisationId,
  username: string,
): Promise<OneTimeCode | undefined> => {
  const [found] = await connection.rows(
    rowSchema,
    `${CODES} and c.purpose = 'recovery' and u.org_id = $1 and u.username = $2 and not u.is_service_account`,
    [orgId, username],
  );
  return found;
};

/** Reads the code of this hash by which a registered and active user adds a credential. */
export const readCredentialCode = async (
  connection: Connection,
  hash: Uint8Array,
): Promise<OneTimeCode | undefined> => {
  const [found] = await connection.rows(
    rowSchema,
    `${CODES} and c.purpose = 'credential' and c.code_hash = $1`,
    [hash],
  );
  return found;
};

/** Uses a code up. @returns false if it was used before, also by a simultaneous request, or replaced */
export const spendOneTimeCode = async (
  connection: Connection,
  { purpose, userId, hash }: Pick<OneTimeCode, "purpose" | "userId" | "hash">,
): Promise<boolean> =>
  (await connection.execute(
    "delete from one_time_codes where purpose = $1 and user_id = $2 and code_hash = $3",
    [purpose, userId, hash],
  )) === 1;

/** Puts down a challenge that a code began. */
export const insertCodeChallenge = async (
  connection: Connection,
  userId: UserId,
  { id, dateExpires }: { readonly id: string; readonly dateExpires: string },
): Promise<void> => {
  await connection.execute("insert into code_challenges (id, user_id, date_expires) values ($1, $2, $3)", [
    id,
    userId,
    dateExpires,
  ]);
};

/** Consumes a challenge that a code began. @returns false if it was used before, also by a simultaneous request, or has ended */
export const spendCodeChallenge = async (connection: Connection, id: string): Promise<boolean> =>
  (await connection.execute("delete from code_challenges where id = $1", [id])) === 1;

/**
 * Ends a user's codes for other devices, and what they began: whoever made them may be the one that the user shuts out. A code to
 * recover by is of whoever vouched for the user, and stays.
 */
export const endCredentialCodes = async (connection: Connection, userId: UserId): Promise<void> => {
  await connection.execute("delete from one_time_codes where user_id = $1 and purpose = 'credential'", [
    userId,
  ]);
  await connection.execute("delete from code_challenges where user_id = $1", [userId]);
};
