// A policy: payments above 1000 dollars wait until a person lets them go.
import { administrator, fundedWallet, reached, SOMEBODY, service } from "./cluster.ts";

const [program, person] = [service(), administrator()];
const { id: walletId } = await fundedWallet(program);
const [anybody] = (await person.auth.listUsers()).items.filter(({ isServiceAccount }) => !isServiceAccount);
if (anybody === undefined) throw new Error("there is nobody to ask");
const policy = await program.policies.createPolicy({
  body: {
    name: "large payments",
    activityKind: "Wallets:Sign",
    rule: { kind: "TransactionAmountLimit", configuration: { limit: 1000, currency: "USD" } },
    action: {
      kind: "RequestApproval",
      // any user of the organisation but the requester may approve; approvers: { userId: { in: ["us-…"] } }
      // names users
      approvalGroups: [{ name: "treasurers", quorum: 1, approvers: {} }],
      autoRejectTimeout: 60,
    },
    filters: { walletId: { in: [walletId] } },
  },
});
console.log(`${policy.id} guards ${walletId}`);

const asked = await program.wallets.transferAsset({
  walletId,
  body: { kind: "Native", to: SOMEBODY, amount: "5000000000000000000" },
});
const approvalId = asked.approvalId ?? "";
console.log(`${asked.id} is ${asked.status}, it waits for ${approvalId}`);

// an approver's view, and decision
const approval = await person.policies.getApproval({ approvalId });
for (const { triggered, reason } of approval.policyEvaluations)
  console.log(`triggered ${triggered}: ${reason}`);
await person.policies.createApprovalDecision({ approvalId, body: { value: "Approved", reason: "known" } });
const done = await reached("Confirmed", () =>
  program.wallets.getTransfer({ walletId, transferId: asked.id }),
);
console.log(`approved, and ${done.status}`);
