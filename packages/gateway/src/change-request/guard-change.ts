import {
  type Activity,
  type ChangeRequest,
  changeRequestIdSchema,
  changeRequestView,
  fail,
  ok,
  problem,
  type Result,
} from "@conclave/custody";
import { type Caller, type Connection, insertChangeRequest, readPendingChange } from "@conclave/platform";
import type { Dependencies } from "../dependencies.ts";
import { Refused } from "../http/refused.ts";
import { requesterOf } from "../people/requester.ts";
import { type Judgement, judge } from "../policy/judge.ts";
import { judgeChanger } from "./right-to-change.ts";

/** A requested change of a policy, a permission, an assignment or a user group. */
export interface Change {
  readonly kind: ChangeRequest["kind"];
  readonly operationKind: ChangeRequest["operationKind"];
  readonly entityId: string;
  /** the entity after the change, as the API shows it */
  readonly body: Readonly<Record<string, unknown>>;
  readonly activity: Exclude<Activity, { readonly kind: "Wallets:Sign" }>;
  /** whether it is part of creating a person, which needs the right to do that and not the right to the change */
  readonly isOfCreation?: boolean;
}

/** A change that was made, or a change request that waits or was blocked. */
export type Guarded<Entity> =
  | { readonly kind: "Made"; readonly entity: Entity }
  | { readonly kind: "Asked"; readonly request: ChangeRequest };

/** The changed entity, or the request that waits. @throws Refused with PolicyBlocked when a policy blocks the change */
export const unlessBlocked = <Entity>(guarded: Guarded<Entity>): Guarded<Entity> => {
  if (guarded.kind === "Made" || guarded.request.status === "Pending") return guarded;
  const { id: changeRequestId, entityId, reason } = guarded.request;
  throw new Refused(problem("PolicyBlocked", { entityId, changeRequestId, reason }));
};

/**
 * Asks the policies on changes whether a change may be made. Must run in the transaction of the change, which changes
 * rights (`changeRights`), with the entity's row locked.
 *
 * @returns undefined when the change may be made now; otherwise a change request: Pending while people are asked
 * (answer it with 202; `applyChange` makes the change once they approve), or Rejected by a policy that blocks (commit
 * it, and answer PolicyBlocked). ChangeRequestPending while an earlier change of the same entity waits, or a refusal of
 * `judgeChanger`
 */
export const guardChange = async (
  dependencies: Pick<Dependencies, "prices" | "now" | "world">,
  connection: Connection,
  caller: Caller,
  change: Change,
): Promise<Result<ChangeRequest | undefined>> => {
  const { kind, operationKind, entityId, body, activity } = change;
  const earlier = await readPendingChange(connection, caller.orgId, entityId);
  if (earlier !== undefined) {
    return fail("ChangeRequestPending", { changeRequestId: earlier.id, approvalId: earlier.approvalId });
  }
  const date = dependencies.now().toISOString();
  const asked: ChangeRequest = {
    id: dependencies.world.freshId(changeRequestIdSchema, "cr"),
    orgId: caller.orgId,
    kind,
    operationKind,
    status: "Pending",
    requester: requesterOf(caller),
    entityId,
    body,
    approvalId: undefined,
    reason: undefined,
    dateCreated: date,
    dateResolved: undefined,
  };
  // the caller may have lost the right to a concurrent change
  const may = change.isOfCreation === true ? ok(undefined) : await judgeChanger(connection, asked);
  if (!may.ok) return may;
  const { judgement, record } = await judge(dependencies, connection, {
    orgId: caller.orgId,
    initiatorId: caller.userId,
    subject: { kind: "change-request", id: asked.id },
    activity,
    date,
    show: (found) => ({ changeRequest: changeRequestView(judged(asked, found, date)) }),
  });
  await record();
  if (judgement.kind === "Allowed") return ok(undefined);
  const request = judged(asked, judgement, date);
  if (!(await insertChangeRequest(connection, request))) {
    throw new Error(`${entityId} was not locked: two changes of it were asked for at once`);
  }
  return ok(request);
};

const judged = (request: ChangeRequest, judgement: Judgement, date: string): ChangeRequest => {
  switch (judgement.kind) {
    case "Allowed":
      return { ...request, status: "Applied", dateResolved: date };
    case "Pending":
      return { ...request, approvalId: judgement.approvalId };
    case "Rejected":
      return { ...request, status: "Rejected", reason: judgement.reason, dateResolved: date };
  }
};
