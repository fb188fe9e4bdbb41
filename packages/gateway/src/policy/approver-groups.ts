import {
  fail,
  MOST_APPROVERS,
  type OrganisationId,
  ok,
  type PolicyBody,
  type Result,
  unreachableQuorums,
  userGroupsOf,
} from "@conclave/custody";
import { type Connection, readActiveMembers, readUnknownGroups } from "@conclave/platform";

/**
 * Judges the user groups that a policy names: each exists, and with the members of this moment every quorum can be
 * reached. Must run in the transaction that stores the policy, after `changeRights`: a group is neither deleted nor
 * emptied meanwhile.
 * @returns the body; ApproverGroupUnknown, also for a group of another organisation (INV-11), or QuorumUnreachable
 */
export const judgeApproverGroups = async (
  connection: Connection,
  orgId: OrganisationId,
  body: PolicyBody,
): Promise<Result<PolicyBody>> => {
  const named = userGroupsOf(body);
  if (named.length === 0) return ok(body);
  const userGroupIds = await readUnknownGroups(connection, orgId, named);
  if (userGroupIds.length > 0) {
    return fail("ApproverGroupUnknown", { field: "action.approvalGroups", userGroupIds });
  }
  // no quorum counts more people of one user group
  const members = await readActiveMembers(connection, orgId, named, MOST_APPROVERS);
  const groups = unreachableQuorums(body, members);
  return groups.length === 0
    ? ok(body)
    : fail("QuorumUnreachable", { field: "action.approvalGroups", groups });
};
