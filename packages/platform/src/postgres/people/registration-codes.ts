import { type OrganisationId, type UserId, userIdSchema } from "@conclave/custody";
import { z } from "zod";
import { bytes, date } from "../columns.ts";
import type { Connection } from "../database.ts";

/** What the records keep of the code by which somebody who was invited registers. */
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

/** Gives a user a code, in the place of any earlier one; undefined takes it away. */
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

/** The code of somebody who has not registered yet and is neither deactivated nor archived. */
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
