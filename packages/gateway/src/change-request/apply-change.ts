import {
  type Activity,
  type ChangeRequest,
  type ChangeRequestId,
  decideChangeRequest,
  fail,
  ok,
  permissionIdSchema,
  policyIdSchema,
  type Result,
  userGroupIdSchema,
} from "@conclave/custody";
import { type Connection, lockChangeRequest, updateChangeRequest } from "@conclave/platform";
import { z } from "zod";
import type { Releasable } from "../chain-request/release-request.ts";
import { applyAssignmentChange } from "../permission/change-assignment.ts";
import { applyPermissionChange } from "../permission/change-permission.ts";
import { applyPolicyChange } from "../policy/policy-change.ts";
import { applyMemberChange } from "../user-group/apply-members.ts";
import { policiesBehind } from "../user-group/named-by.ts";
import { judgeChanger } from "./right-to-change.ts";
import { readInChange } from "./stored-change.ts";

/** Makes an approved change; if it can no longer be made, returns the reason and writes nothing. */
export type Applier = (
  connection: Connection,
  request: ChangeRequest,
  date: string,
) => Promise<Result<unknown>>;

const APPLIERS: Readonly<Record<ChangeRequest["kind"], Applier>> = {
  Policy: applyPolicyChange,
  Permission: applyPermissionChange,
  Assignment: applyAssignmentChange,
  UserGroup: applyMemberChange,
};

/**
 * Judges a change again after its approval, by its requester's current rights. Must run in the transaction of the
 * approval, which changes rights.
 * @returns the function that makes it; ChangeRequestSettled for one that no longer waits, or a refusal of
 * `judgeChanger`
 */
export const releasableChange = async (
  connection: Connection,
  id: ChangeRequestId,
): Promise<Result<Releasable>> => {
  const request = await lockChangeRequest(connection, id);
  if (request?.status !== "Pending") return fail("ChangeRequestSettled", { changeRequestId: id });
  const judged = await judgeChanger(connection, request);
  if (!judged.ok) return judged;
  return ok({
    activity: await activityOf(connection, request),
    release: async ({ date }) => {
      const applied = await APPLIERS[request.kind](connection, request, date);
      const settled = decideChangeRequest(
        request,
        applied.ok ? { kind: "Applied", date } : { kind: "Failed", date, reason: applied.problem.message },
      );
      if (settled.ok) await updateChangeRequest(connection, settled.value);
      return settled;
    },
  });
};

const permissionSchema = z.object({ permissionId: permissionIdSchema });

/** The change in the form that policies judge. Of a user group: a change of the policies that name it now. */
const activityOf = async (connection: Connection, request: ChangeRequest): Promise<Activity> => {
  const { kind, entityId, body } = request;
  switch (kind) {
    case "Policy":
      return {
        kind: "Policies:Modify",
        policyIds: [readInChange(request, "entity_id", policyIdSchema, entityId)],
      };
    case "Permission":
      return {
        kind: "Permissions:Modify",
        permissionId: readInChange(request, "entity_id", permissionIdSchema, entityId),
      };
    case "Assignment":
      return { kind: "Permissions:Assign", ...readInChange(request, "body", permissionSchema, body) };
    case "UserGroup": {
      const id = readInChange(request, "entity_id", userGroupIdSchema, entityId);
      return {
        kind: "Policies:Modify",
        policyIds: await policiesBehind(connection, { orgId: request.orgId, id }),
      };
    }
  }
};
