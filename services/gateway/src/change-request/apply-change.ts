import {
  type ChangeRequest,
  type ChangeRequestId,
  decideChangeRequest,
  fail,
  type Result,
} from "@conclave/custody";
import { type Connection, lockChangeRequest, updateChangeRequest } from "@conclave/platform";
import { applyPolicyChange } from "../policy/policy-change.ts";

/** Makes a change that was approved, or says why it can no longer be made; it writes nothing then. */
export type Applier = (
  connection: Connection,
  request: ChangeRequest,
  date: string,
) => Promise<Result<unknown>>;

const APPLIERS: Readonly<Partial<Record<ChangeRequest["kind"], Applier>>> = { Policy: applyPolicyChange };

const apply: Applier = (connection, request, date) => {
  const applier = APPLIERS[request.kind];
  return applier === undefined
    ? Promise.resolve(fail("ServiceUnavailable", {}, `changes of the kind ${request.kind} are not made here`))
    : applier(connection, request, date);
};

/** Makes a change once people have approved it. One that was settled before stays as it is. */
export const applyChange = async (
  connection: Connection,
  id: ChangeRequestId,
  date: string,
): Promise<void> => {
  const request = await lockChangeRequest(connection, id);
  if (request?.status !== "Pending") return;
  const applied = await apply(connection, request, date);
  const settled = decideChangeRequest(
    request,
    applied.ok ? { kind: "Applied", date } : { kind: "Failed", date, reason: applied.problem.message },
  );
  if (settled.ok) await updateChangeRequest(connection, settled.value);
};
