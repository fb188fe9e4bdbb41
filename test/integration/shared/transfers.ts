import { readFileSync } from "node:fs";
import { type ApiTransfer, CustodyApi, enterOrganisation, issueClusterToken } from "@conclave/testbed";
import { Interface, Transaction } from "ethers";
import { beforeAll, describe, expect, it, vi } from "vitest";
import { kindsOf, readEvents } from "../event-stream.ts";
import { ETHER, freshReceiver, makeFundedWallet } from "../funded-wallet.ts";
import { PATIENCE_MS } from "../patience.ts";
import { cluster } from "./shared-cluster.ts";

const TOKEN_LIFETIME_S = 600;
const LIFE = ["wallet.transfer.requested", "wallet.transfer.broadcasted", "wallet.transfer.confirmed"];
const ERC20 = new Interface(["function transfer(address to, uint256 amount) returns (bool)"]);

/** The transaction on the chain, decoded by a library that shares no code with ours. */
const onChain = async ({ txHash }: ApiTransfer): Promise<Transaction> => {
  if (txHash === undefined) throw new Error("a confirmed transfer has a hash");
  return Transaction.from(await cluster.chain.rawTransaction(txHash));
};

/** The kinds of a resource's events, once the expected last one has been published. */
const publishedKinds = (id: string, last: string): Promise<readonly string[]> =>
  vi.waitFor(
    async () => {
      const kinds = kindsOf(await readEvents(cluster.layout), id);
      expect(kinds).toContain(last);
      return kinds;
    },
    { timeout: PATIENCE_MS },
  );

/** An error body without its own id, and without the ids that the caller sent. */
const withoutIds = (body: unknown): string =>
  JSON.stringify(body)
    .replace(/"id":"[^"]*"/, "")
    .replace(/"(wa|xfr)-[a-z0-9-]+"/g, "$1");

export const transfers = (): void => {
  describe("transfers", () => {
    describe("a wallet", () => {
      it("INV-6 is announced exactly once", async () => {
        const wallet = await makeFundedWallet(cluster);
        expect(await publishedKinds(wallet.id, "wallet.created")).toEqual(["wallet.created"]);
      });
    });

    describe("a transfer of ether", () => {
      it("is on chain exactly as it was asked for, signed by the wallet", async () => {
        const wallet = await makeFundedWallet(cluster);
        const to = freshReceiver();
        const asked = await cluster.api.transfer(wallet.id, {
          kind: "Native",
          to,
          amount: "12345678901234567",
        });
        const done = await cluster.api.confirmed(asked, PATIENCE_MS);
        const { from, to: receiver, value, data, chainId, nonce, hash } = await onChain(done);
        expect({ from, receiver, value, data, chainId, nonce, hash }).toEqual({
          from: wallet.address,
          receiver: to,
          value: 12345678901234567n,
          data: "0x",
          chainId: 11155111n,
          nonce: 0,
          hash: done.txHash,
        });
        expect(await cluster.chain.balance(to)).toBe(12345678901234567n);
      });

      it("says the fee that the wallet really paid", async () => {
        const wallet = await makeFundedWallet(cluster);
        const asked = await cluster.api.transfer(wallet.id, {
          kind: "Native",
          to: freshReceiver(),
          amount: ETHER.toString(),
        });
        const { fee } = await cluster.api.confirmed(asked, PATIENCE_MS);
        const paid = 10n * ETHER - ETHER - (await cluster.chain.balance(wallet.address));
        expect(fee).toBe(paid.toString());
      });

      it("INV-6 is announced once when requested, once when broadcast and once when confirmed", async () => {
        const wallet = await makeFundedWallet(cluster);
        const asked = await cluster.api.transfer(wallet.id, {
          kind: "Native",
          to: freshReceiver(),
          amount: "1",
        });
        await cluster.api.confirmed(asked, PATIENCE_MS);
        expect(await publishedKinds(asked.id, "wallet.transfer.confirmed")).toEqual(LIFE);
      });

      it("INV-5 INV-4 of many that were asked for at once, each lands once and in its own place", async () => {
        const wallet = await makeFundedWallet(cluster);
        const receivers = Array.from({ length: 5 }, freshReceiver);
        const asked = await Promise.all(
          receivers.map((to) => cluster.api.transfer(wallet.id, { kind: "Native", to, amount: "7" })),
        );
        const done = await Promise.all(asked.map((transfer) => cluster.api.confirmed(transfer, PATIENCE_MS)));
        const transactions = await Promise.all(done.map(onChain));
        expect(transactions.map(({ to }) => to)).toEqual(receivers);
        expect(transactions.map(({ nonce }) => nonce).sort()).toEqual([0, 1, 2, 3, 4]);
        expect(await cluster.chain.transactionCount(wallet.address)).toBe(5);
      });
    });

    describe("a transfer of an ERC-20 token", () => {
      it("is on chain exactly as it was asked for, signed by the wallet", async () => {
        const wallet = await makeFundedWallet(cluster);
        const contract = await cluster.chain.giveTokens(wallet.address, 1_000_000n);
        const to = freshReceiver();
        const body = { kind: "Erc20", contract, to, amount: "250000" } as const;
        const done = await cluster.api.confirmed(await cluster.api.transfer(wallet.id, body), PATIENCE_MS);
        const transaction = await onChain(done);
        expect({
          from: transaction.from,
          to: transaction.to?.toLowerCase(),
          value: transaction.value,
        }).toEqual({
          from: wallet.address,
          to: contract.toLowerCase(),
          value: 0n,
        });
        expect(transaction.data).toBe(ERC20.encodeFunctionData("transfer", [to, 250_000n]));
        expect(await cluster.chain.tokenBalance(contract, to)).toBe(250_000n);
        expect(await cluster.chain.tokenBalance(contract, wallet.address)).toBe(750_000n);
      });
    });

    describe("a transfer of more than the wallet holds", () => {
      it("INV-5 fails with that reason, and nothing is sent", async () => {
        const wallet = await makeFundedWallet(cluster);
        const asked = await cluster.api.transfer(wallet.id, {
          kind: "Native",
          to: freshReceiver(),
          amount: (11n * ETHER).toString(),
        });
        const failed = await cluster.api.follow(asked, ({ status }) => status === "Failed", PATIENCE_MS);
        expect(failed.reason).toMatch(
          /^insufficient funds: \d+ wei are needed, the wallet holds 10000000000000000000; send it \d+ more, or ask for less$/,
        );
        expect(await publishedKinds(asked.id, "wallet.transfer.failed")).toEqual([
          "wallet.transfer.requested",
          "wallet.transfer.failed",
        ]);
        expect(await cluster.chain.transactionCount(wallet.address)).toBe(0);
      });
    });

    describe("INV-11 another organisation", () => {
      const ABSENT_WALLET = "wa-00000-00000-0000000000000000";
      const ABSENT_TRANSFER = "xfr-00000-00000-0000000000000000";
      const ORGANISATION = "or-stran-stran-stranger00000000";
      const STRANGER = "us-stran-stran-stranger00000000";
      let stranger: CustodyApi;
      let walletId: string;
      let transferId: string;

      beforeAll(async () => {
        const { clusterId, api } = cluster.description;
        await enterOrganisation(readFileSync(cluster.layout.databaseUrl, "utf8"), {
          orgId: ORGANISATION,
          userId: STRANGER,
        });
        const token = await issueClusterToken(
          cluster.layout,
          clusterId,
          {
            orgId: ORGANISATION,
            userId: STRANGER,
            tokenId: "to-stran-stran-stranger00000000",
          },
          { issuedAt: new Date(), lifetimeSeconds: TOKEN_LIFETIME_S },
        );
        stranger = new CustodyApi(api.url, token);
        const wallet = await makeFundedWallet(cluster);
        walletId = wallet.id;
        const asked = await cluster.api.transfer(walletId, {
          kind: "Native",
          to: freshReceiver(),
          amount: "1",
        });
        transferId = (await cluster.api.confirmed(asked, PATIENCE_MS)).id;
      });

      it("has no wallets", async () => {
        expect(await stranger.send("GET", "/wallets")).toMatchObject({ status: 200, body: { items: [] } });
      });

      it.each([
        ["reads a wallet", "GET", () => `/wallets/${walletId}`, `/wallets/${ABSENT_WALLET}`],
        [
          "lists its transfers",
          "GET",
          () => `/wallets/${walletId}/transfers`,
          `/wallets/${ABSENT_WALLET}/transfers`,
        ],
        [
          "reads a transfer",
          "GET",
          () => `/wallets/${walletId}/transfers/${transferId}`,
          `/wallets/${ABSENT_WALLET}/transfers/${ABSENT_TRANSFER}`,
        ],
        [
          "asks for a transfer",
          "POST",
          () => `/wallets/${walletId}/transfers`,
          `/wallets/${ABSENT_WALLET}/transfers`,
        ],
      ] as const)(
        "gets the answer of a wallet that does not exist when it %s",
        async (_, method, ours, absent) => {
          const body = method === "POST" ? { kind: "Native", to: freshReceiver(), amount: "1" } : undefined;
          const answer = await stranger.send(method, ours(), body);
          const never = await stranger.send(method, absent, body);
          expect(answer.status).toBe(404);
          expect(withoutIds(answer.body)).toEqual(withoutIds(never.body));
        },
      );

      it("moves nothing", async () => {
        const listed = await cluster.api.send("GET", `/wallets/${walletId}/transfers`);
        expect(listed).toMatchObject({ status: 200, body: { items: [{ id: transferId }] } });
      });
    });
  });
};
