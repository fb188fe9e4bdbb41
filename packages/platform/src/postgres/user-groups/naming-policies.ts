import {
  type OrganisationId,
  type Policy,
  type PolicyId,
  policyIdSchema,
  type UserGroupId,
} from "@conclave/custody";
import { z } from "zod";
import type { Connection } from "../database.ts";
import { changeRequests } from "../policies/change-requests.ts";
import { policies } from "../policies/policies.ts";

const [c, p] = [changeRequests.columns, policies.columns];

const GROUPS_OF_BODY = "body #> '{action,approvalGroups}'";

/** The elements of a JSON list of approval groups; of anything else, none. */
const elementsOf = (list: string): string =>
  `jsonb_array_elements(case jsonb_typeof(${list}) when 'array' then ${list} else '[]' end) g`;

/** Whether the approval group `g` names the user group $2. */
const NAMES = "jsonb_exists(g #> '{approvers,userGroupId,in}', $2)";

/**
 * Reads the active policies that ask the members of a user group. Call it after `changeRights`.
 *
 * @throws UnreadableRow
 */
export const readPoliciesNaming = (
  connection: Connection,
  orgId: OrganisationId,
  groupId: UserGroupId,
): Promise<readonly Policy[]> =>
  policies.rows(
    connection,
    `where ${p.orgId} = $1 and status = 'Active' and exists (select from ${elementsOf(GROUPS_OF_BODY)} where ${NAMES})
     order by id`,
    [orgId, groupId],
  );

/**
 * Reads the ids of the policies by which something waits that names a user group: an approval that asks its members, also
 * for a policy that was archived since, and a change of a policy that would name it. Call it after `changeRights`.
 */
export const readWaitingPoliciesNaming = async (
  connection: Connection,
  orgId: OrganisationId,
  groupId: UserGroupId,
): Promise<readonly PolicyId[]> => {
  const rows = await connection.rows(
    z.object({ id: policyIdSchema }),
    `select g ->> 'policyId' as id from policy_approvals a, ${elementsOf("a.groups")}
       where a.${p.orgId} = $1 and a.status = 'Pending' and ${NAMES}
     union
     select r.${c.entityId} from change_requests r
       where r.${c.orgId} = $1 and r.kind = 'Policy' and r.status = 'Pending'
         and exists (select from ${elementsOf(`r.${GROUPS_OF_BODY}`)} where ${NAMES})
     order by 1`,
    [orgId, groupId],
  );
  return rows.map(({ id }) => id);
};
