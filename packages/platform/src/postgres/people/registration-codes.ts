import { type OrganisationId, type UserId, userIdSchema } from "@conclave/custody";
import { z } from "zod";
import { bytes, date } from "../columns.ts";
import type { Connection } from "../database.ts";

/** The stored form of the code with which an invited user registers. */
export interface RegistrationCode {
  readonly userId: UserId;
  /** SHA-256 of the code */
  readonly hash: Uint8Array;
  /** ISO 8601 UTC */
  readonly dateExpires: string;
}

const rowSchema = z
  .object({ id: userIdSchema, registration_code_hash: bytes, date_registration_expires: date })
  .transform(
    (row): RegistrationCode => ({
      userId: row.id,
      hash: row.registration_code_hash,
      dateExpires: row.date_registration_expires,
    }),
  );

/** Sets the code of a user, replacing any earlier one; undefined removes it. */
export const putRegistrationCode = async (
  connection: Connection,
  userId: UserId,
  code: Omit<RegistrationCode, "userId"> | undefined,
): Promise<void> => {
  await connection.execute(
    "update users set registration_code_hash = $2, date_registration_expires = $3 where id = $1",
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
    rowSchema,
    `select id, registration_code_hash, date_registration_expires from users
     where org_id = $1 and username = $2 and registration_code_hash is not null
       and not is_registered and is_active and date_archived is null`,
    [orgId, username],
  );
  return found;
};
