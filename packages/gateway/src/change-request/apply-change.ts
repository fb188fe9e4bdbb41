import {
  type ChangeRequest,
  type ChangeRequestId,
  decideChangeRequest,
  type Result,
} from "@conclave/custody";
import { type Connection, lockChangeRequest, updateChangeRequest } from "@conclave/platform";
import { applyAssignmentChange } from "../permission/change-assignment.ts";
import { applyPermissionChange } from "../permission/change-permission.ts";
import { applyPolicyChange } from "../policy/policy-change.ts";

/** Makes a change that was approved, or says why it can no longer be made; it writes nothing then. */
export type Applier = (
  connection: Connection,
  request: ChangeRequest,
  date: string,
) => Promise<Result<unknown>>;

const APPLIERS: Readonly<Record<ChangeRequest["kind"], Applier>> = {
  Policy: applyPolicyChange,
  Permission: applyPermissionChange,
  Assignment: applyAssignmentChange,
};

/** Makes a change once people have approved it. One that was settled before stays as it is. */
export const applyChange = async (
  connection: Connection,
  id: ChangeRequestId,
  date: string,
): Promise<void> => {
  const request = await lockChangeRequest(connection, id);
  if (request?.status !== "Pending") return;
  const applied = await APPLIERS[request.kind](connection, request, date);
  const settled = decideChangeRequest(
    request,
    applied.ok ? { kind: "Applied", date } : { kind: "Failed", date, reason: applied.problem.message },
  );
  if (settled.ok) await updateChangeRequest(connection, settled.value);
};
