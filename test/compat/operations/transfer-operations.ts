import { describe, expect, it } from "vitest";
import { type CompatWorld, ETHER, freshReceiver } from "../compat-world.ts";
import { until } from "../until.ts";

/** client.wallets: transfers and their replacements. */
export const transferOperations = (world: () => CompatWorld): void => {
  describe("client.wallets.transferAsset", () => {
    it("answers Pending at once, and the transfer is confirmed with its fee", async () => {
      const { service, treasury, cluster } = world();
      const to = freshReceiver();
      const walletId = treasury.id;
      const asked = await service.wallets.transferAsset({
        walletId,
        body: { kind: "Native", to, amount: ETHER.toString() },
      });
      expect(asked).toMatchObject({
        id: expect.stringMatching(/^xfr-/),
        walletId,
        network: "EthereumSepolia",
        requester: { userId: cluster.description.developer.serviceAccount.userId },
        requestBody: { kind: "Native", to, amount: ETHER.toString() },
        metadata: { asset: { symbol: "ETH", decimals: 18 } },
        status: "Pending",
      });
      const done = await until("Confirmed", () =>
        service.wallets.getTransfer({ walletId, transferId: asked.id }),
      );
      expect(done).toMatchObject({
        fee: expect.stringMatching(/^[1-9]\d+$/),
        txHash: expect.stringMatching(/^0x[0-9a-f]{64}$/),
      });
      expect(await cluster.chain.balance(to)).toBe(ETHER);
    });

    it("moves tokens, and the wallet's assets and history say so", async () => {
      const { service, newer, treasury, cluster } = world();
      const walletId = treasury.id;
      const contract = await cluster.chain.giveTokens(treasury.address, 1_000_000n);
      const to = freshReceiver();
      const asked = await service.wallets.transferAsset({
        walletId,
        body: { kind: "Erc20", contract, to, amount: "250000", priority: "Fast" },
      });
      await until("Confirmed", () => service.wallets.getTransfer({ walletId, transferId: asked.id }));
      expect(await cluster.chain.tokenBalance(contract, to)).toBe(250_000n);
      const abi = {
        type: "function",
        name: "balanceOf",
        stateMutability: "view",
        inputs: [{ name: "owner", type: "address" }],
        outputs: [{ name: "", type: "uint256" }],
      };
      const question = { contract, abi, calldata: { owner: to } };
      expect(await newer.networks.callFunction({ network: "ethereum-sepolia", body: question })).toBe(
        "250000",
      );
      const data = `0x70a08231${to.slice(2).toLowerCase().padStart(64, "0")}`;
      const read = await service.networks.readContract({
        body: { kind: "Evm", network: "EthereumSepolia", contract, data },
      });
      expect(BigInt(read.data)).toBe(250_000n);
      // a deposit may be detected before or after the transfer is confirmed
      const { items } = await service.wallets.getWalletHistory({ walletId });
      expect(items).toContainEqual(
        expect.objectContaining({
          kind: "Erc20Transfer",
          direction: "Out",
          value: "250000",
          contract: expect.stringMatching(new RegExp(contract, "i")),
        }),
      );
    });

    it("answers the first transfer again for the same externalId, and lists it once", async () => {
      const { service, treasury } = world();
      const walletId = treasury.id;
      const body = { kind: "Native", to: freshReceiver(), amount: "1", externalId: "invoice-9" } as const;
      const first = await service.wallets.transferAsset({ walletId, body });
      const again = await service.wallets.transferAsset({ walletId, body });
      expect(again.id).toBe(first.id);
      await expect(
        service.wallets.transferAsset({ walletId, body: { ...body, amount: "2" } }),
      ).rejects.toMatchObject({
        httpStatus: 409,
        context: {
          body: { error: { details: { duplicate: { id: first.id, externalId: "invoice-9" } } } },
        },
      });
      const listed = await service.wallets.listTransfers({ walletId });
      expect(listed.walletId).toBe(walletId);
      expect(listed.items.filter(({ externalId }) => externalId === "invoice-9")).toHaveLength(1);
      await until("Confirmed", () => service.wallets.getTransfer({ walletId, transferId: first.id }));
    });

    it("lets a transfer that is stuck be sped up, and another be cancelled", async () => {
      const { newer, node, treasury } = world();
      const walletId = treasury.id;
      const ask = async () => {
        const body = { kind: "Native", to: freshReceiver(), amount: "5" } as const;
        const { id } = await newer.wallets.transferAsset({ walletId, body });
        await until("Broadcasted", () => newer.wallets.getTransfer({ walletId, transferId: id }));
        return id;
      };
      await node.setIntervalMining({ interval: 0 });
      const [slow, unwanted] = [await ask(), await ask()];
      const faster = await newer.wallets.speedUpTransfer({ walletId, transferId: slow });
      const nothing = await newer.wallets.cancelTransfer({ walletId, transferId: unwanted });
      for (const { id } of [faster, nothing]) {
        await until("Broadcasted", () => newer.wallets.getTransaction({ walletId, transactionId: id }));
      }
      await node.setIntervalMining({ interval: 1 });
      for (const { id } of [faster, nothing]) {
        await until("Confirmed", () => newer.wallets.getTransaction({ walletId, transactionId: id }));
      }
      const replaced = await newer.wallets.getTransfer({ walletId, transferId: unwanted });
      expect(replaced).toMatchObject({ status: "Failed", replacementId: nothing.id });
    });
  });
};
