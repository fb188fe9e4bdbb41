import { readFileSync } from "node:fs";
import { organisationIdSchema, tokenIdSchema, userIdSchema } from "@conclave/custody";
import { bootstrapOrganisation, freshId, openDatabase, processWorld } from "@conclave/platform";
import { CustodyApi, issueClusterToken } from "@conclave/testbed";
import { Interface, Transaction } from "ethers";
import { beforeAll, describe, expect, it, vi } from "vitest";
import { z } from "zod";
import { kindsOf, readEvents } from "../event-stream.ts";
import { ETHER, freshReceiver, makeFundedWallet } from "../funded-wallet.ts";
import { PATIENCE_MS } from "../patience.ts";
import { cluster } from "./shared-cluster.ts";

const TOKEN_LIFETIME_S = 600;
const ERC20 = new Interface(["function transfer(address to, uint256 amount) returns (bool)"]);

const requestSchema = z.looseObject({
  id: z.string(),
  walletId: z.string(),
  status: z.string(),
  reason: z.string().optional(),
  approvalId: z.string().optional(),
});

let alice: Approver;
let bob: Approver;
interface Approver {
  readonly userId: string;
  readonly api: CustodyApi;
}

/** A new user of the development organisation who may do everything. */
const enter = async (username: string): Promise<Approver> => {
  const orgId = organisationIdSchema.parse(cluster.description.developer.orgId);
  const userId = freshId(userIdSchema, "us");
  const url = readFileSync(cluster.layout.databaseUrl, "utf8");
  const database = openDatabase({ url, name: "test" });
  const users = [{ orgId, userId, username }];
  await bootstrapOrganisation(
    processWorld,
    database,
    { id: orgId, name: "Development" },
    { users, serviceAccounts: [] },
  );
  await database.close();
  const token = await issueClusterToken(
    cluster.layout,
    cluster.description.clusterId,
    { orgId, userId, tokenId: freshId(tokenIdSchema, "to") },
    { issuedAt: new Date(), lifetimeSeconds: TOKEN_LIFETIME_S },
  );
  return { userId, api: new CustodyApi(cluster.description.api.url, token) };
};

const send = async (api: CustodyApi, method: string, path: string, body?: unknown) => {
  const { status, body: answer } = await api.send(method, path, body);
  expect([method, path, status, answer]).toEqual([method, path, 200, expect.anything()]);
  return requestSchema.parse({ walletId: "", ...z.looseObject({}).parse(answer) });
};

/** Sets a policy on one wallet: requests that trigger the rule need both approvers. */
const protect = (walletId: string, rule: unknown): Promise<unknown> =>
  send(cluster.api, "POST", "/v2/policies", {
    name: "two people",
    activityKind: "Wallets:Sign",
    rule,
    action: {
      kind: "RequestApproval",
      approvalGroups: [
        { name: "treasury", quorum: 2, approvers: { userId: { in: [alice.userId, bob.userId] } } },
      ],
      autoRejectTimeout: 60,
    },
    filters: { walletId: { in: [walletId] } },
  });
const aboveOneEther = { kind: "TransactionAmountLimit", configuration: { limit: "2000", currency: "USD" } };

const decide = ({ api }: Approver, approvalId: string | undefined, value: string) =>
  send(api, "POST", `/v2/policy-approvals/${approvalId}/decisions`, { value });

const transfer = (walletId: string, to: string, amount: bigint) =>
  send(cluster.api, "POST", `/wallets/${walletId}/transfers`, {
    kind: "Native",
    to,
    amount: amount.toString(),
  });

export const policies = (): void => {
  describe("policies", () => {
    beforeAll(async () => {
      [alice, bob] = await Promise.all([enter("alice"), enter("bob")]);
    });

    describe("a policy with two approvers", () => {
      it("INV-8 lets small transfers go, and has a large one wait until both have approved it", async () => {
        const wallet = await makeFundedWallet(cluster);
        await protect(wallet.id, aboveOneEther);
        const [small, large] = [freshReceiver(), freshReceiver()];
        const free = await transfer(wallet.id, small, ETHER);
        const asked = await transfer(wallet.id, large, ETHER + 1n);
        expect([free.approvalId, asked.status, typeof asked.approvalId]).toEqual([
          undefined,
          "Pending",
          "string",
        ]);
        expect((await decide(alice, asked.approvalId, "Approved")).status).toBe("Pending");
        // `free` is confirmed after the first approval of `asked`: by then, `asked` would be under way if that one approval had
        // released it
        await cluster.api.confirmed(free, PATIENCE_MS);
        expect((await cluster.api.readTransfer(wallet.id, asked.id)).status).toBe("Pending");
        expect((await decide(bob, asked.approvalId, "Approved")).status).toBe("Approved");
        await cluster.api.confirmed(asked, PATIENCE_MS);
        expect(await cluster.chain.balance(large)).toBe(ETHER + 1n);
      });

      it("INV-6 rejects what one of them denies, says so once, and signs nothing", async () => {
        const wallet = await makeFundedWallet(cluster);
        await protect(wallet.id, aboveOneEther);
        const asked = await transfer(wallet.id, freshReceiver(), 2n * ETHER);
        const { approvalId = "" } = asked;
        expect((await decide(bob, approvalId, "Denied")).status).toBe("Denied");
        const rejected = await cluster.api.readTransfer(wallet.id, asked.id);
        expect(rejected).toMatchObject({ status: "Rejected", reason: `denied by ${bob.userId}` });
        await vi.waitFor(
          async () => {
            const events = await readEvents(cluster.layout);
            expect(kindsOf(events, asked.id)).toEqual([
              "wallet.transfer.requested",
              "wallet.transfer.rejected",
            ]);
            expect(kindsOf(events, approvalId)).toEqual([
              "policy.approval.pending",
              "policy.approval.resolved",
            ]);
          },
          { timeout: PATIENCE_MS },
        );
        expect(await cluster.chain.transactionCount(wallet.address)).toBe(0);
      });

      it("INV-3 sees the token transfer in the data of a raw transaction, and carries it out once approved", async () => {
        const wallet = await makeFundedWallet(cluster);
        const contract = await cluster.chain.giveTokens(wallet.address, 1_000_000n);
        const [friend, stranger] = [freshReceiver(), freshReceiver()];
        await protect(wallet.id, {
          kind: "TransactionRecipientWhitelist",
          configuration: { addresses: [friend, contract] },
        });
        const raw = (to: string) =>
          Transaction.from({
            type: 2,
            chainId: 11_155_111,
            nonce: 0,
            to: contract,
            value: 0n,
            data: ERC20.encodeFunctionData("transfer", [to, 250_000n]),
            gasLimit: 100_000n,
            maxFeePerGas: 20_000_000_000n,
            maxPriorityFeePerGas: 1_000_000_000n,
          }).unsignedSerialized;
        const broadcast = (to: string) =>
          send(cluster.api, "POST", `/wallets/${wallet.id}/transactions`, {
            kind: "Transaction",
            transaction: raw(to),
          });
        const asked = await broadcast(stranger);
        expect([asked.status, typeof asked.approvalId]).toEqual(["Pending", "string"]);
        const approval = await cluster.api.send("GET", `/v2/policy-approvals/${asked.approvalId}`);
        expect(approval.body).toMatchObject({
          policyEvaluations: [{ triggered: true, reason: expect.stringContaining(stranger.toLowerCase()) }],
          activity: { transactionRequest: { id: asked.id } },
        });
        await decide(alice, asked.approvalId, "Approved");
        await decide(bob, asked.approvalId, "Approved");
        await vi.waitFor(
          async () => expect(await cluster.chain.tokenBalance(contract, stranger)).toBe(250_000n),
          { timeout: PATIENCE_MS },
        );
      });
    });
  });
};
