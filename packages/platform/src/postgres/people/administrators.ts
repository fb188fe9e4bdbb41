import type { OrganisationId, UserId } from "@conclave/custody";
import { z } from "zod";
import type { Connection } from "../database.ts";

/**
 * Whether an organisation has another administrator: an active user to whom every operation is granted, and
 * who has registered: whoever was only invited may never come. It locks the
 * permission's row until the transaction ends, so that the last two administrators cannot leave at the same time.
 */
export const hasOtherAdministrator = async (
  connection: Connection,
  orgId: OrganisationId,
  userId: UserId,
): Promise<boolean> => {
  await connection.execute(
    "select id from permissions where org_id = $1 and grants_everything and not is_archived for update",
    [orgId],
  );
  const others = await connection.rows(
    z.object({ id: z.string() }),
    `select u.id from permission_assignments a
       join permissions p on p.id = a.permission_id and p.grants_everything and not p.is_archived
       join users u on u.id = a.identity_id and u.org_id = a.org_id
     where a.org_id = $1 and u.id <> $2 and u.is_active and u.is_registered and u.date_archived is null limit 1`,
    [orgId, userId],
  );
  return others.length > 0;
};
