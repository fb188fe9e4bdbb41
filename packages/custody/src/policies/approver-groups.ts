import type { UserGroupId, UserId } from "../identifiers.ts";
import type { ApprovalGroup, PolicyBody } from "./policy-body.ts";

const approvalGroupsOf = ({ action }: PolicyBody): readonly ApprovalGroup[] =>
  action.kind === "RequestApproval" ? action.approvalGroups : [];

/** The user groups whose members a policy asks, each once. */
export const userGroupsOf = (body: PolicyBody): readonly UserGroupId[] => [
  ...new Set(approvalGroupsOf(body).flatMap(({ approvers }) => approvers.userGroupId?.in ?? [])),
];

/**
 * Finds the approval groups with user groups that have fewer people than their quorum needs. Each person counts once,
 * also one who is listed and a member. A group that lists users alone is judged by the schema of the body.
 * @param members the active members of each user group
 */
export const unreachableQuorums = (
  body: PolicyBody,
  members: ReadonlyMap<UserGroupId, ReadonlySet<UserId>>,
): readonly ApprovalGroup[] =>
  approvalGroupsOf(body).filter(({ quorum, approvers: { userId, userGroupId } }) => {
    if (userGroupId === undefined) return false;
    const people = new Set(userId?.in);
    for (const id of userGroupId.in) for (const member of members.get(id) ?? []) people.add(member);
    return people.size < quorum;
  });
