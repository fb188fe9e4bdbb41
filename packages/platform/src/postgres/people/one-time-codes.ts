import { type OrganisationId, type UserId, userIdSchema } from "@conclave/custody";
import { z } from "zod";
import { bytes, date } from "../columns.ts";
import type { Connection } from "../database.ts";
import { listOf } from "../table/selection.ts";
import { mappedTable, plainTable } from "../table/table.ts";
import { users } from "./users.ts";

/** The purpose of a code: a recovery, or adding a credential on another device. */
export type CodePurpose = "recovery" | "credential";

const columns = {
  purpose: z.enum(["recovery", "credential"]),
  userId: userIdSchema,
  codeHash: bytes,
  dateExpires: date,
};
const { orgId } = users.shape;
const { columns: u } = users;

/** The stored form of a code that can be used once. */
export interface OneTimeCode {
  readonly purpose: CodePurpose;
  readonly orgId: OrganisationId;
  readonly userId: UserId;
  /** SHA-256 of the code */
  readonly hash: Uint8Array;
  /** ISO 8601 UTC */
  readonly dateExpires: string;
}

/** Codes with the organisation of their user. */
export const oneTimeCodes = mappedTable(
  "one_time_codes",
  columns,
  {
    row: z
      .object({ ...columns, orgId })
      .transform(({ codeHash: hash, ...code }): OneTimeCode => ({ ...code, hash })),
    derived: ({ hash: codeHash }: Omit<OneTimeCode, "orgId">) => ({ codeHash }),
  },
  {
    joined: {
      select: `select ${listOf(columns, "c")}, ${listOf({ orgId }, "u")}
        from one_time_codes c join users u on u.id = c.user_id`,
      alias: "c",
    },
  },
);

/** Whether the user may still act. */
const IS_HERE = `u.${u.isActive} and u.${u.isRegistered} and u.${u.dateArchived} is null`;

/** Sets the code of a user for a purpose, replacing any earlier one. */
export const putOneTimeCode = async (
  connection: Connection,
  code: Omit<OneTimeCode, "orgId">,
): Promise<void> => {
  await oneTimeCodes.insert(
    connection,
    code,
    "on conflict (user_id, purpose) do update set code_hash = excluded.code_hash, date_expires = excluded.date_expires",
  );
};

/** Reads the recovery code of the registered and active person with this username. */
export const readRecoveryCode = async (
  connection: Connection,
  orgId: OrganisationId,
  username: string,
): Promise<OneTimeCode | undefined> => {
  const [found] = await oneTimeCodes.rows(
    connection,
    `where ${IS_HERE} and c.purpose = 'recovery' and u.${u.orgId} = $1 and u.username = $2 and not u.${u.isServiceAccount}`,
    [orgId, username],
  );
  return found;
};

/** Reads the credential code with this hash, if its user is registered and active. */
export const readCredentialCode = async (
  connection: Connection,
  hash: Uint8Array,
): Promise<OneTimeCode | undefined> => {
  const [found] = await oneTimeCodes.rows(
    connection,
    `where ${IS_HERE} and c.purpose = 'credential' and c.code_hash = $1`,
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

export const codeChallenges = plainTable("code_challenges", {
  id: z.string(),
  userId: userIdSchema,
  dateExpires: date,
});

/** Stores a challenge that a code began. */
export const insertCodeChallenge = async (
  connection: Connection,
  userId: UserId,
  { id, dateExpires }: { readonly id: string; readonly dateExpires: string },
): Promise<void> => {
  await codeChallenges.insert(connection, { id, userId, dateExpires });
};

/** Consumes a challenge that a code began. @returns false if it was used before, also by a simultaneous request, or has ended */
export const spendCodeChallenge = async (connection: Connection, id: string): Promise<boolean> =>
  (await connection.execute("delete from code_challenges where id = $1", [id])) === 1;

/**
 * Deletes a user's codes for adding credentials, and the challenges that they began: the user may be shutting out the
 * person who made them. A recovery code comes from another person who vouches for the user, and stays.
 */
export const endCredentialCodes = async (connection: Connection, userId: UserId): Promise<void> => {
  await connection.execute("delete from one_time_codes where user_id = $1 and purpose = 'credential'", [
    userId,
  ]);
  await connection.execute("delete from code_challenges where user_id = $1", [userId]);
};
