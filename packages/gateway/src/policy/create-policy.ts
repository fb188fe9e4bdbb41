import {
  fail,
  ok,
  type Policy,
  type PolicyBody,
  policyIdSchema,
  type Result,
  type UserId,
} from "@conclave/custody";
import {
  type Caller,
  type Connection,
  changeRights,
  type FilteredKind,
  insertPolicy,
  readUnknownFiltered,
  readUnknownUsers,
} from "@conclave/platform";
import type { Dependencies } from "../dependencies.ts";
import { judgeApproverGroups } from "./approver-groups.ts";
import { roomForPolicy } from "./policy-room.ts";

/**
 * Makes a policy, which applies to every request from now on.
 * @returns ApproverUnknown, FilterUnknown, ApproverGroupUnknown, QuorumUnreachable or TooManyPolicies
 */
export const createPolicy = async (
  { database, now, world }: Dependencies,
  caller: Caller,
  body: PolicyBody,
): Promise<Result<Policy>> => {
  const known = await judgeNamed(database, caller, body);
  if (!known.ok) return known;
  const date = now().toISOString();
  const policy: Policy = {
    id: world.freshId(policyIdSchema, "plc"),
    orgId: caller.orgId,
    status: "Active",
    body,
    dateCreated: date,
    dateUpdated: date,
  };
  return database.transaction(async (connection) => {
    await changeRights(connection, caller.orgId);
    const groups = await judgeApproverGroups(connection, caller.orgId, body);
    if (!groups.ok) return groups;
    const room = await roomForPolicy(connection, caller, body);
    if (!room.ok) return room;
    await insertPolicy(connection, policy);
    return ok(policy);
  });
};

const approversOf = ({ action }: PolicyBody): readonly UserId[] =>
  action.kind === "RequestApproval"
    ? action.approvalGroups.flatMap(({ approvers }) => approvers.userId?.in ?? [])
    : [];

/** The resources that a body's filters name, by kind. */
const filteredBy = (body: PolicyBody): readonly (readonly [FilteredKind, readonly string[]])[] => {
  switch (body.activityKind) {
    case "Wallets:Sign":
      return [["walletId", body.filters?.walletId?.in ?? []]];
    case "Policies:Modify":
      return [["policyId", body.filters?.policyId?.in ?? []]];
    case "Permissions:Assign":
    case "Permissions:Modify":
      return [["permissionId", body.filters?.permissionId?.in ?? []]];
  }
};

/**
 * Judges whether each approver, wallet and permission that a policy names exists: with a misspelt approver a group
 * might never reach its quorum, and with a misspelt wallet a filter would protect nothing.
 * @returns the body; ApproverUnknown or FilterUnknown, also for an entity of another organisation (INV-11)
 */
export const judgeNamed = async (
  connection: Connection,
  { orgId }: Caller,
  body: PolicyBody,
): Promise<Result<PolicyBody>> => {
  const userIds = await readUnknownUsers(connection, orgId, approversOf(body));
  if (userIds.length > 0) return fail("ApproverUnknown", { field: "action.approvalGroups", userIds });
  for (const [kind, named] of filteredBy(body)) {
    const ids = await readUnknownFiltered(connection, orgId, kind, named);
    if (ids.length > 0) return fail("FilterUnknown", { field: `filters.${kind}`, ids });
  }
  return ok(body);
};
