import { expect, it } from "vitest";
import { answeringGateway } from "../testing/answering-gateway.ts";
import { saidTo } from "../testing/said.ts";
import { approve, printApprovals, printPolicies } from "./policies.ts";

const said = saidTo("stdout");

const ID = "ap-00000-00000-0000000000000000";
const approval = {
  id: ID,
  initiatorId: "us-1",
  status: "Pending",
  activity: { kind: "Wallets:Sign" },
  dateCreated: "2026-11-23T00:00:00.000Z",
};

it("lists what policies are for, when they trigger, and what happens then", async () => {
  const policy = {
    id: "pol-1",
    name: "big ones",
    status: "Active",
    activityKind: "Wallets:Sign",
    rule: { kind: "TransactionAmountLimit" },
    action: { kind: "RequestApproval" },
  };
  await printPolicies(answeringGateway({ "GET /v2/policies": [{ items: [policy] }] }).ask, { json: false });
  expect(said()).toMatch(/pol-1 +big ones +Active +Wallets:Sign +TransactionAmountLimit +RequestApproval/);
});

it.each([
  [false, "/v2/policy-approvals?status=Pending"],
  [true, "/v2/policy-approvals"],
])("lists pending approvals; with --all %s it requests %s", async (all, path) => {
  const used = answeringGateway({ [`GET ${path}`]: [{ items: [approval] }] });
  await printApprovals(used.ask, { json: false, all });
  expect(said()).toContain(ID);
});

it.each([
  [{ deny: false }, { value: "Approved" }],
  [
    { deny: true, reason: "too much" },
    { value: "Denied", reason: "too much" },
  ],
])("sends the vote %o", async (options, body) => {
  const path = `/v2/policy-approvals/${ID}/decisions`;
  const used = answeringGateway({ [`POST ${path}`]: [{ ...approval, status: "Approved" }] });
  await approve(used.ask, ID, { json: false, ...options });
  expect(used.asked).toEqual([{ method: "POST", path, body }]);
});
