import { refusal } from "./descriptor.ts";

/** Policies, approvals and changes that need one. */
export const POLICY_ERRORS = {
  PolicyNotFound: refusal(404, "policy not found", "List your policies with GET /v2/policies."),
  ApproverUnknown: refusal(
    400,
    "An approver is not a user of the organisation.",
    "Use the ids that GET /auth/users and GET /auth/service-accounts list; details.userIds are not among them.",
  ),
  ApproverGroupUnknown: refusal(
    400,
    "An approval group names a user group that the organisation does not have.",
    "Use the ids that GET /auth/user-groups lists; details.userGroupIds are not among them.",
  ),
  QuorumUnreachable: refusal(
    400,
    "A quorum is larger than the number of people who could approve: it could never be reached.",
    "Let more active people join the user groups of the approval group in details.groups, or lower its quorum.",
  ),
  QuorumLost: refusal(
    409,
    "A policy's approval group would have fewer active people than its quorum.",
    "Let other people join first, or change the policies in details.policyIds.",
  ),
  UserGroupNamed: refusal(
    409,
    "A policy, a change of one that waits, or an approval that waits names the user group.",
    "Have the policies in details.policyIds name other approvers, and what waits for these policies settled.",
  ),
  FilterUnknown: refusal(
    400,
    "A filter names something that the organisation does not have.",
    "Use ids that the organisation's lists show; details.ids are not among them.",
  ),
  TooManyPolicies: refusal(
    422,
    "The organisation's policies would be more, or longer together, than it may have.",
    "Archive policies that are not needed, or put their lists of addresses into one: details say how many there may be, and how long in JSON.",
  ),
  PolicyBlocked: refusal(
    403,
    "A policy blocks this.",
    "Ask for something that the policy in details.reason allows, or have the policy changed.",
  ),
  PolicyArchived: refusal(409, "The policy is archived.", "Create a new policy."),
  ApprovalNotFound: refusal(404, "approval not found", "List approvals with GET /v2/policy-approvals."),
  ApprovalSettled: refusal(409, "The approval is settled.", "Read the approval and its status."),
  ApprovalSpoken: refusal(
    409,
    "You have decided on this approval before.",
    "Read the approval: your decision stands in it, and others decide now.",
  ),
  TooManyVoices: refusal(
    422,
    "As many have approved it as may, and it is not decided.",
    "Deny it, and have it asked for again with fewer approval groups.",
  ),
  ApprovalNotAllowed: refusal(
    403,
    "You are not among those who may decide on this approval.",
    "Have somebody of its approvalGroups decide: whoever started a request, and a service account, takes part only in groups that allow it.",
  ),
  ChangeRequestPending: refusal(
    409,
    "A change of this waits for its approval.",
    "Settle the approval in details.approvalId first.",
  ),
  ChangeRequestSettled: refusal(409, "The change request is settled.", "Ask for the change anew."),
} as const;
