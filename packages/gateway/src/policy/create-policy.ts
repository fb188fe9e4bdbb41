import {
  fail,
  ok,
  type Policy,
  type PolicyBody,
  policyIdSchema,
  type Result,
  type UserId,
} from "@conclave/custody";
import { type Caller, type Connection, freshId, insertPolicy, readUnknownUsers } from "@conclave/platform";
import type { Dependencies } from "../dependencies.ts";

/** Makes a policy; it holds for every request from now on. @returns ApproverUnknown */
export const createPolicy = async (
  { database, now }: Dependencies,
  caller: Caller,
  body: PolicyBody,
): Promise<Result<Policy>> => {
  const known = await knowApprovers(database, caller, body);
  if (!known.ok) return known;
  const date = now().toISOString();
  const policy: Policy = {
    id: freshId(policyIdSchema, "plc"),
    orgId: caller.orgId,
    status: "Active",
    body,
    dateCreated: date,
    dateUpdated: date,
  };
  await insertPolicy(database, policy);
  return ok(policy);
};

const approversOf = ({ action }: PolicyBody): readonly UserId[] =>
  action.kind === "RequestApproval"
    ? action.approvalGroups.flatMap(({ approvers }) => approvers.userId?.in ?? [])
    : [];

/**
 * Whether all approvers are users of the organisation: a group with a misspelt one might never reach its quorum.
 * @returns the body, or ApproverUnknown; users of other organisations are as unknown as those that never were (INV-11)
 */
export const knowApprovers = async (
  connection: Connection,
  { orgId }: Caller,
  body: PolicyBody,
): Promise<Result<PolicyBody>> => {
  const userIds = await readUnknownUsers(connection, orgId, approversOf(body));
  return userIds.length === 0
    ? ok(body)
    : fail("ApproverUnknown", { field: "action.approvalGroups", userIds });
};
