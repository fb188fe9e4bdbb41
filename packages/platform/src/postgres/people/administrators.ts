import type { OrganisationId, UserId } from "@conclave/custody";
import { z } from "zod";
import type { Connection } from "../database.ts";
import { assignments } from "../policies/permission-assignments.ts";
import { permissions } from "../policies/permissions.ts";
import { users } from "./users.ts";

const [a, p, u] = [assignments.columns, permissions.columns, users.columns];

/** Administrators are active, registered users to whom every operation is granted. */
const ADMINISTRATORS = `permission_assignments a
       join permissions p on p.id = a.${a.permissionId} and p.${p.grantsEverything} and not p.${p.isArchived}
       join users u on u.id = a.${a.identityId} and u.${u.orgId} = a.${a.orgId}
     where a.${a.orgId} = $1 and u.${u.isActive} and u.${u.isRegistered} and u.${u.dateArchived} is null`;

/**
 * Whether an organisation keeps an administrator when this user leaves: if the user is an administrator and a person,
 * another person, as nobody logs in as a machine; otherwise any other. A user who was only invited does not count,
 * because the person may never register. It locks the permission's row until the transaction ends, so that the last two
 * administrators cannot leave at the same time.
 */
export const keepsAdministrator = async (
  connection: Connection,
  orgId: OrganisationId,
  userId: UserId,
): Promise<boolean> => {
  await connection.execute(
    `select from permissions where ${p.orgId} = $1 and ${p.grantsEverything} and not ${p.isArchived} for update`,
    [orgId],
  );
  const staying = await connection.rows(
    z.object({ id: z.string() }),
    `select u.id from ${ADMINISTRATORS} and u.id <> $2
       and (not u.${u.isServiceAccount}
         or not exists (select from ${ADMINISTRATORS} and u.id = $2 and not u.${u.isServiceAccount}))
     limit 1`,
    [orgId, userId],
  );
  return staying.length > 0;
};
