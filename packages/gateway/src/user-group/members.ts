import type { UserGroup, UserGroupId } from "@conclave/custody";
import { type Caller, changeRights } from "@conclave/platform";
import { type Guarded, guardChange, unlessBlocked } from "../change-request/guard-change.ts";
import type { Dependencies } from "../dependencies.ts";
import { demand } from "../http/refused.ts";
import { judgeMembers, storeMembers } from "./apply-members.ts";
import { type MemberChange, memberChangeBody } from "./member-change.ts";
import { policiesBehind } from "./named-by.ts";

/**
 * Adds people to a group, or removes people from it. Members that are there already, and people that are not, stay so.
 * A policy that names the group asks its members, so such a change is judged as a change of that policy, or first waits
 * for the approvals that a policy on changes of policies requires (INV-8).
 * @throws Refused with UserGroupNotFound, MemberUnknown, TooManyMembers, QuorumLost, PermissionMissing or
 * ChangeRequestPending; then nothing is changed
 */
export const changeMembers = async (
  dependencies: Pick<Dependencies, "database" | "prices" | "now" | "world">,
  caller: Caller,
  userGroupId: UserGroupId,
  asked: MemberChange,
): Promise<Guarded<UserGroup>> => {
  const guarded = await dependencies.database.transaction(async (connection): Promise<Guarded<UserGroup>> => {
    await changeRights(connection, caller.orgId);
    const judged = demand(await judgeMembers(connection, caller.orgId, userGroupId, asked));
    const { group, change } = judged;
    if (change.userIds.length === 0) return { kind: "Made", entity: group };
    const policyIds = await policiesBehind(connection, group);
    const request = demand(
      await guardChange(dependencies, connection, caller, {
        kind: "UserGroup",
        operationKind: "Update",
        entityId: userGroupId,
        body: memberChangeBody(group, change, policyIds),
        activity: { kind: "Policies:Modify", policyIds },
      }),
    );
    if (request !== undefined) return { kind: "Asked", request };
    await storeMembers(connection, judged, dependencies.now().toISOString());
    return { kind: "Made", entity: group };
  });
  return unlessBlocked(guarded);
};
