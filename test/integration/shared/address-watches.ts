import { waitUntil } from "@conclave/testbed";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { readEvents } from "../event-stream.ts";
import { ETHER, freshReceiver, makeFundedWallet } from "../funded-wallet.ts";
import { PATIENCE_MS } from "../patience.ts";
import { cluster } from "./shared-cluster.ts";

const PATH = "/address-watches";
const REINDEX = "/networks/ethereum-sepolia/transactions/reindex";
const watchSchema = z.looseObject({ id: z.string(), address: z.string() });
const historySchema = z.object({
  items: z.array(z.looseObject({ direction: z.string(), txHash: z.string(), value: z.string() })),
});
const assetsSchema = z.looseObject({
  assets: z.array(z.looseObject({ kind: z.string(), balance: z.string() })),
});
const eventSchema = z.object({
  blockchainEvent: z.looseObject({ addressWatchId: z.string(), txHash: z.string() }),
});
const CONFIRMED = "address_watch.blockchain_event.transfer.confirmed";

const watch = async (address: string) =>
  watchSchema.parse((await cluster.api.send("POST", PATH, { network: "EthereumSepolia", address })).body);
const movementsOf = async (id: string) =>
  historySchema.parse((await cluster.api.send("GET", `${PATH}/${id}/history`)).body).items;
/** The movements of a watch once there are some. */
const moved = (id: string) =>
  waitUntil(
    async () => {
      const items = await movementsOf(id);
      return items.length === 0 ? undefined : items;
    },
    { what: "a movement at the watched address", deadlineMs: PATIENCE_MS, pollMs: 200 },
  );

/** Tests of addresses that an organisation watches. */
export const addressWatches = (): void => {
  describe("a watched address", () => {
    it("INV-6 shows what comes to it and what goes from it, and announces each once", async () => {
      const wallet = await makeFundedWallet(cluster);
      const to = freshReceiver();
      const [payer, payee] = [await watch(wallet.address), await watch(to)];
      const amount = (ETHER / 4n).toString();
      const asked = await cluster.api.transfer(wallet.id, { kind: "Native", to, amount });
      const { txHash } = await cluster.api.confirmed(asked, PATIENCE_MS);
      const shown = { kind: "NativeTransfer", txHash, value: amount, from: wallet.address, to };
      expect(await moved(payee.id)).toMatchObject([{ ...shown, addressWatchId: payee.id, direction: "In" }]);
      expect(await moved(payer.id)).toMatchObject([{ ...shown, addressWatchId: payer.id, direction: "Out" }]);
      const { body } = await cluster.api.send("GET", `${PATH}/${payee.id}/assets`);
      expect(assetsSchema.parse(body).assets).toMatchObject([{ kind: "Native", balance: amount }]);
      const announced = await waitUntil(
        async () => {
          const events = (await readEvents(cluster.layout)).filter(({ kind }) => kind === CONFIRMED);
          const ids = events.map(({ data }) => eventSchema.parse(data).blockchainEvent.addressWatchId);
          const own = ids.filter((id) => id === payer.id || id === payee.id);
          return own.length < 2 ? undefined : own;
        },
        { what: "the events of both watches", deadlineMs: PATIENCE_MS, pollMs: 100 },
      );
      expect(announced.toSorted()).toEqual([payer.id, payee.id].toSorted());
    });

    it("INV-6 gets a transaction of before when somebody names it, once", async () => {
      const wallet = await makeFundedWallet(cluster);
      const to = freshReceiver();
      const payer = await watch(wallet.address);
      const amount = (ETHER / 4n).toString();
      const asked = await cluster.api.transfer(wallet.id, { kind: "Native", to, amount });
      const { txHash } = await cluster.api.confirmed(asked, PATIENCE_MS);
      // then the block is final, and was read
      await moved(payer.id);
      const payee = await watch(to);
      expect(await movementsOf(payee.id)).toEqual([]);
      for (const _ of [1, 2]) {
        const { body } = await cluster.api.send("POST", REINDEX, { txHash });
        expect(body).toEqual({ success: true });
      }
      expect(await movementsOf(payee.id)).toMatchObject([{ direction: "In", txHash, value: amount }]);
      expect(await movementsOf(payer.id)).toHaveLength(1);
    });

    it("shows nothing more once its watch is deleted", async () => {
      const wallet = await makeFundedWallet(cluster);
      const to = freshReceiver();
      const [left, kept] = [await watch(to), await watch(wallet.address)];
      await cluster.api.send("DELETE", `${PATH}/${left.id}`, {});
      const amount = (ETHER / 4n).toString();
      const asked = await cluster.api.transfer(wallet.id, { kind: "Native", to, amount });
      await cluster.api.confirmed(asked, PATIENCE_MS);
      // the same block holds both movements
      await moved(kept.id);
      expect(await movementsOf(left.id)).toEqual([]);
    });
  });
};
