import { type OrganisationId, type UserId, userIdSchema } from "@conclave/custody";
import { z } from "zod";
import { bytes, date } from "../columns.ts";
import type { Connection } from "../database.ts";
import { userMarks, users } from "./users.ts";

const { columns: u } = users;
const { registrationCodeHash, dateRegistrationExpires } = userMarks.columns;

const codeSchema = z.object({
  userId: userIdSchema,
  /** SHA-256 of the code */
  hash: bytes,
  /** ISO 8601 UTC */
  dateExpires: date,
});

/** The stored form of the code with which an invited user registers. */
export type RegistrationCode = Readonly<z.output<typeof codeSchema>>;

/** Sets the code of a user, replacing any earlier one; undefined removes it. */
export const putRegistrationCode = async (
  connection: Connection,
  userId: UserId,
  code: Omit<RegistrationCode, "userId"> | undefined,
): Promise<void> => {
  await connection.execute(
    `update users set ${registrationCodeHash} = $2, ${dateRegistrationExpires} = $3 where id = $1`,
    [userId, code?.hash ?? null, code?.dateExpires ?? null],
  );
};

/** Reads the code of a user who has not registered yet and is neither deactivated nor archived. */
export const readRegistrationCode = async (
  connection: Connection,
  orgId: OrganisationId,
  username: string,
): Promise<RegistrationCode | undefined> => {
  const [found] = await connection.rows(
    codeSchema,
    `select id as "userId", ${registrationCodeHash} as hash, ${dateRegistrationExpires} as "dateExpires" from users
     where ${u.orgId} = $1 and username = $2 and ${registrationCodeHash} is not null
       and not ${u.isRegistered} and ${u.isActive} and ${u.dateArchived} is null`,
    [orgId, username],
  );
  return found;
};
