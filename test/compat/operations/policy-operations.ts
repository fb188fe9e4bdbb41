import { PolicyPendingError } from "@dfns/sdk";
import { describe, expect, it } from "vitest";
import { type CompatWorld, freshReceiver } from "../compat-world.ts";
import { until } from "../until.ts";

/** client.policies, and requests that wait for an approval. */
export const policyOperations = (world: () => CompatWorld): void => {
  const administrator = (): string => world().cluster.description.developer.userId;
  const askAdministrator = () => {
    const approvers = { userId: { in: [administrator()] } };
    return {
      kind: "RequestApproval" as const,
      approvalGroups: [{ name: "treasurers", quorum: 1, approvers }],
      autoRejectTimeout: 60,
    };
  };
  /** A new wallet for a policy, on the treasury's key, so that the policy delays nothing else. */
  const guardedWallet = async () => {
    const { service, treasury, node } = world();
    const own = await service.wallets.createWallet({ body: { network: "EthereumSepolia" } });
    await node.setBalance({ address: treasury.address, value: 10n ** 20n });
    return own.id;
  };

  describe("client.policies", () => {
    it("creates, changes and archives a policy", async () => {
      const { policies } = world().service;
      const body = {
        name: "large payments",
        activityKind: "Wallets:Sign",
        rule: { kind: "TransactionAmountLimit", configuration: { limit: 1000, currency: "USD" } },
        action: askAdministrator(),
        filters: { walletId: { in: [world().treasury.id] } },
      } as const;
      const mutable = { ...body, filters: { walletId: { in: [...body.filters.walletId.in] } } };
      const created = await policies.createPolicy({ body: mutable });
      expect(created).toMatchObject({ ...body, id: expect.stringMatching(/^plc-/), status: "Active" });
      const policyId = created.id;
      const updated = await policies.updatePolicy({ policyId, body: { ...mutable, name: "payments" } });
      expect(updated).toMatchObject({ id: policyId, name: "payments" });
      expect(await policies.getPolicy({ policyId })).toMatchObject({ id: policyId, name: "payments" });
      expect((await policies.listPolicies({ query: { limit: "20" } })).items.map(({ id }) => id)).toContain(
        policyId,
      );
      expect(await policies.archivePolicy({ policyId })).toMatchObject({ id: policyId, status: "Archived" });
    });

    it("INV-8 has a transfer wait for its approver, who lets it go", async () => {
      const { service, administrator: approver } = world();
      const walletId = await guardedWallet();
      const { address } = await service.wallets.getWallet({ walletId });
      await world().node.setBalance({ address: `0x${address?.slice(2)}`, value: 10n ** 19n });
      const { id: policyId } = await service.policies.createPolicy({
        body: {
          name: "everything",
          activityKind: "Wallets:Sign",
          rule: { kind: "AlwaysTrigger" },
          action: askAdministrator(),
          filters: { walletId: { in: [walletId] } },
        },
      });
      const body = { kind: "Native", to: freshReceiver(), amount: "11" } as const;
      const asked = await service.wallets.transferAsset({ walletId, body });
      expect(asked).toMatchObject({ status: "Pending", approvalId: expect.stringMatching(/^ap-/) });
      const approvalId = asked.approvalId ?? "";
      const approval = await approver.policies.getApproval({ approvalId });
      expect(approval).toMatchObject({
        id: approvalId,
        status: "Pending",
        activity: { kind: "Wallets:Sign", transferRequest: { id: asked.id } },
        policyEvaluations: [{ policyId, triggered: true }],
      });
      const waiting = await approver.policies.listApprovals({ query: { status: "Pending" } });
      expect(waiting.items.map(({ id }) => id)).toContain(approvalId);
      await approver.policies.createApprovalDecision({ approvalId, body: { value: "Approved" } });
      await until("Confirmed", () => service.wallets.getTransfer({ walletId, transferId: asked.id }));
    });

    it("lets a transfer and a transaction that wait be aborted", async () => {
      const { service, newer } = world();
      const walletId = await guardedWallet();
      await service.policies.createPolicy({
        body: {
          name: "everything",
          activityKind: "Wallets:Sign",
          rule: { kind: "AlwaysTrigger" },
          action: askAdministrator(),
          filters: { walletId: { in: [walletId] } },
        },
      });
      const to = freshReceiver();
      const transfer = await newer.wallets.transferAsset({
        walletId,
        body: { kind: "Native", to, amount: "1" },
      });
      const transaction = await newer.wallets.broadcastTransaction({
        walletId,
        body: { kind: "Evm", to, value: "1" },
      });
      const transferId = transfer.id;
      const transactionId = transaction.id;
      expect(await newer.wallets.abortTransfer({ walletId, transferId })).toMatchObject({ id: transferId });
      expect(await newer.wallets.abortTransaction({ walletId, transactionId })).toMatchObject({
        id: transactionId,
      });
      await until("Rejected", () => service.wallets.getTransfer({ walletId, transferId }));
      await until("Rejected", () => service.wallets.getTransaction({ walletId, transactionId }));
    });

    it("throws the library's PolicyPendingError when a change of a policy waits itself", async () => {
      const { service, treasury, administrator: approver } = world();
      const guarded = await service.policies.createPolicy({
        body: {
          name: "guarded",
          activityKind: "Wallets:Sign",
          rule: { kind: "AlwaysTrigger" },
          action: { kind: "NoAction" },
          filters: { walletId: { in: [treasury.id] } },
        },
      });
      await service.policies.createPolicy({
        body: {
          name: "who changes the guarded one",
          activityKind: "Policies:Modify",
          rule: { kind: "AlwaysTrigger" },
          action: askAdministrator(),
          filters: { policyId: { in: [guarded.id] } },
        },
      });
      const pending = await service.policies
        .archivePolicy({ policyId: guarded.id })
        .catch((cause: unknown) => cause);
      expect(pending).toBeInstanceOf(PolicyPendingError);
      expect(pending).toMatchObject({
        httpStatus: 202,
        context: { kind: "Policy", operationKind: "Update", status: "Pending", entityId: guarded.id },
      });
      const { items } = await approver.policies.listApprovals({ query: { status: "Pending" } });
      const approval = items.find(({ activity }) => activity.kind === "Policies:Modify");
      const approvalId = approval?.id ?? expect.fail("nobody is asked");
      await approver.policies.createApprovalDecision({ approvalId, body: { value: "Approved" } });
      expect(await service.policies.getPolicy({ policyId: guarded.id })).toMatchObject({
        status: "Archived",
      });
    });
  });
};
