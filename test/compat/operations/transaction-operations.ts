import { Interface } from "ethers";
import { describe, expect, it } from "vitest";
import { type CompatWorld, freshReceiver } from "../compat-world.ts";
import { until } from "../until.ts";

const ERC20 = new Interface(["function transfer(address to, uint256 amount) returns (bool)"]);

/** client.wallets: transactions that callers build themselves. */
export const transactionOperations = (world: () => CompatWorld): void => {
  describe("client.wallets.broadcastTransaction", () => {
    it("calls a contract with fees that the service chooses", async () => {
      const { service, treasury, cluster } = world();
      const walletId = treasury.id;
      const contract = await cluster.chain.giveTokens(treasury.address, 1_000n);
      const to = freshReceiver();
      const asked = await service.wallets.broadcastTransaction({
        walletId,
        body: { kind: "Evm", to: contract, data: ERC20.encodeFunctionData("transfer", [to, 400n]) },
      });
      expect(asked).toMatchObject({ id: expect.stringMatching(/^tx-/), requestBody: { kind: "Evm" } });
      const done = await until("Confirmed", () =>
        service.wallets.getTransaction({ walletId, transactionId: asked.id }),
      );
      expect(done.txHash).toMatch(/^0x[0-9a-f]{64}$/);
      expect(await cluster.chain.tokenBalance(contract, to)).toBe(400n);
      const listed = await service.wallets.listTransactions({ walletId });
      expect(listed.items[0]).toMatchObject({ id: asked.id, status: "Confirmed" });
    });

    it("lets a transaction that is stuck be sped up, and another be cancelled", async () => {
      const { newer, node, treasury } = world();
      const walletId = treasury.id;
      const read = (id: string) => () => newer.wallets.getTransaction({ walletId, transactionId: id });
      const ask = async () => {
        const body = { kind: "Eip1559", to: freshReceiver(), value: "7" } as const;
        const { id } = await newer.wallets.broadcastTransaction({ walletId, body });
        await until("Broadcasted", read(id));
        return id;
      };
      await node.setIntervalMining({ interval: 0 });
      const [slow, unwanted] = [await ask(), await ask()];
      const faster = await newer.wallets.speedUpTransaction({ walletId, transactionId: slow });
      const nothing = await newer.wallets.cancelTransaction({ walletId, transactionId: unwanted });
      expect([faster.requestBody.kind, nothing.requestBody.kind]).toEqual([
        "SpeedUpTransaction",
        "CancelTransaction",
      ]);
      for (const { id } of [faster, nothing]) await until("Broadcasted", read(id));
      await node.setIntervalMining({ interval: 1 });
      for (const { id } of [faster, nothing]) await until("Confirmed", read(id));
      expect(await until("Failed", read(slow))).toMatchObject({ replacementId: faster.id });
    });
  });
};
