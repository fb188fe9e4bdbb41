import type { OrganisationId, PermissionId, UserId } from "@conclave/custody";
import { z } from "zod";
import type { Connection } from "../database.ts";
import { assignments } from "../policies/permission-assignments.ts";
import { permissions } from "../policies/permissions.ts";
import { accessTokens } from "./access-tokens.ts";
import { applications } from "./applications.ts";
import { users } from "./users.ts";

const [a, p, u] = [assignments.columns, permissions.columns, users.columns];
const [app, t] = [applications.columns, accessTokens.columns];

const countSchema = z.object({ count: z.int() });

const counted = async (connection: Connection, text: string, values: readonly unknown[]): Promise<number> => {
  const [found] = await connection.rows(countSchema, text, values);
  return found?.count ?? 0;
};

/** The number of an organisation's service accounts that are not archived. The users of applications do not count. */
export const countServiceAccounts = (connection: Connection, orgId: OrganisationId): Promise<number> =>
  counted(
    connection,
    `select count(*)::int as count from users u
     where ${u.orgId} = $1 and ${u.isServiceAccount} and ${u.dateArchived} is null
       and not exists (select from applications app where app.${app.userId} = u.id)`,
    [orgId],
  );

/** The number of an organisation's applications that are not archived. */
export const countApplications = (connection: Connection, orgId: OrganisationId): Promise<number> =>
  counted(
    connection,
    `select count(*)::int as count from applications where ${app.orgId} = $1 and ${app.dateArchived} is null`,
    [orgId],
  );

/** The number of a user's personal access tokens that are not archived. */
export const countPersonalTokens = (
  connection: Connection,
  orgId: OrganisationId,
  userId: UserId,
): Promise<number> =>
  counted(
    connection,
    `select count(*)::int as count from access_tokens
     where ${t.orgId} = $1 and ${t.userId} = $2 and kind = 'Pat' and ${t.dateArchived} is null`,
    [orgId, userId],
  );

/** The number of permissions that are assigned to an identity, archived ones included. */
export const countAssignments = (
  connection: Connection,
  orgId: OrganisationId,
  identityId: string,
): Promise<number> =>
  counted(
    connection,
    `select count(*)::int as count from permission_assignments where ${a.orgId} = $1 and ${a.identityId} = $2`,
    [orgId, identityId],
  );

/** A permission as it would be after a change. */
export interface AskedPermission {
  readonly id: PermissionId;
  /** how many operations it lists */
  readonly operations: number;
  /** an identity that would have it, in addition to those that have it now */
  readonly identityId?: string;
}

/**
 * The total number of operations that the permissions of an organisation's service accounts, applications and
 * long-lived tokens would list.
 *
 * @param everything the number of all operations
 */
export const countMachineOperations = (
  connection: Connection,
  orgId: OrganisationId,
  { id, operations, identityId }: AskedPermission,
  everything: number,
): Promise<number> =>
  counted(
    connection,
    `with machines as (
       select id from users where ${u.orgId} = $1 and ${u.isServiceAccount} and ${u.dateArchived} is null
       union all select id from access_tokens where ${t.orgId} = $1 and kind <> 'Token' and ${t.dateArchived} is null
       union all select id from applications where ${app.orgId} = $1 and ${app.dateArchived} is null),
     assigned (permission, identity) as (
       select ${a.permissionId}, ${a.identityId} from permission_assignments where ${a.orgId} = $1
       union select $2, $5 where $5::text is not null)
     select coalesce(sum(case
         when p.id = $2 then $3
         when p.${p.grantsEverything} then $4
         else jsonb_array_length(p.operations) end), 0)::int as count
     from assigned a join machines m on m.id = a.identity
       join permissions p on p.${p.orgId} = $1 and p.id = a.permission and (p.id = $2 or not p.${p.isArchived})`,
    [orgId, id, operations, everything, identityId ?? null],
  );
