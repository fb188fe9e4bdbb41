import {
  fail,
  MOST_APPROVERS,
  ok,
  type PolicyId,
  type Result,
  type UserGroup,
  type UserId,
  unreachableQuorums,
  userGroupsOf,
} from "@conclave/custody";
import {
  type Connection,
  readActiveMembers,
  readPoliciesNaming,
  readWaitingPoliciesNaming,
} from "@conclave/platform";

/**
 * The policies whose approvers change with a group's members: the active ones that name it, those by which an approval
 * waits for it, and those of which a change waits that would name it. Must run after `changeRights`.
 */
export const policiesBehind = async (
  connection: Connection,
  { orgId, id }: Pick<UserGroup, "orgId" | "id">,
): Promise<readonly PolicyId[]> => {
  const active = await readPoliciesNaming(connection, orgId, id);
  const waiting = await readWaitingPoliciesNaming(connection, orgId, id);
  return [...new Set([...active.map((policy) => policy.id), ...waiting])];
};

/**
 * Whether no active policy that names a group loses a quorum with these members: one that it does not reach anyway is not
 * lost by them. Must run after `changeRights`.
 * @returns QuorumLost with the policies that would lose one
 */
export const judgeLeaving = async (
  connection: Connection,
  { orgId, id }: Pick<UserGroup, "orgId" | "id">,
  userIds: readonly UserId[],
): Promise<Result<void>> => {
  const active = await readPoliciesNaming(connection, orgId, id);
  const named = active.flatMap(({ body }) => userGroupsOf(body));
  const leaving = { groupId: id, userIds };
  const before = await readActiveMembers(connection, orgId, named, MOST_APPROVERS);
  const after = await readActiveMembers(connection, orgId, named, MOST_APPROVERS, leaving);
  const lost = active.filter(({ body }) => {
    const unreached = new Set(unreachableQuorums(body, before));
    return unreachableQuorums(body, after).some((group) => !unreached.has(group));
  });
  return lost.length === 0
    ? ok(undefined)
    : fail("QuorumLost", { userGroupId: id, policyIds: lost.map((policy) => policy.id) });
};
