import { z } from "zod";
import type { AskGateway } from "./gateway.ts";
import { readAll } from "./pages.ts";
import { printList, printOne, type Shown } from "./print.ts";

const policySchema = z.looseObject({
  id: z.string(),
  name: z.string(),
  status: z.string(),
  activityKind: z.string(),
  rule: z.looseObject({ kind: z.string() }),
  action: z.looseObject({ kind: z.string() }),
});

/** `conclave policy list` */
export const printPolicies = async (ask: AskGateway, shown: Shown): Promise<void> => {
  const policies = await readAll(ask, policySchema, "/v2/policies");
  printList(
    shown,
    policies,
    ["id", "name", "status", "for", "when", "then"],
    ({ id, name, status, activityKind, rule, action }) => [
      id,
      name,
      status,
      activityKind,
      rule.kind,
      action.kind,
    ],
    "no policy: whoever has the permission may transfer anything",
  );
};

const approvalSchema = z.looseObject({
  id: z.string(),
  initiatorId: z.string(),
  status: z.string(),
  activity: z.looseObject({ kind: z.string() }),
  expirationDate: z.string().optional(),
  dateCreated: z.string(),
});

/** `conclave approval list`: lists the approvals that are pending, or with `all` also the settled ones. */
export const printApprovals = async (
  ask: AskGateway,
  { all, ...shown }: Shown & { readonly all: boolean },
): Promise<void> => {
  const approvals = await readAll(ask, approvalSchema, `/v2/policy-approvals${all ? "" : "?status=Pending"}`);
  printList(
    shown,
    approvals,
    ["id", "status", "activity", "asked by", "since", "until"],
    ({ id, status, activity, initiatorId, dateCreated, expirationDate }) => [
      id,
      status,
      activity.kind,
      initiatorId,
      dateCreated,
      expirationDate ?? "",
    ],
    "nothing waits for an approval",
  );
};

/** `conclave approve`: votes on an approval, as one of its approvers. */
export const approve = async (
  ask: AskGateway,
  id: string,
  { deny, reason, ...shown }: Shown & { readonly deny: boolean; readonly reason?: string },
): Promise<void> => {
  const decision = { value: deny ? "Denied" : "Approved", ...(reason === undefined ? {} : { reason }) };
  const path = `/v2/policy-approvals/${encodeURIComponent(id)}/decisions`;
  const approval = await ask(approvalSchema, "POST", path, decision);
  printOne(shown, approval, { approval: approval.id, status: approval.status });
};
