import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { type CompatWorld, ETHER, freshReceiver } from "../compat-world.ts";
import { until } from "../until.ts";
import type { PythonClient } from "./python-client.ts";

const watchSchema = z.looseObject({ id: z.string(), status: z.string() });
const watchesSchema = z.looseObject({ items: z.array(watchSchema) });
const historySchema = z.looseObject({ items: z.array(z.looseObject({ direction: z.string() })) });

/** Tests operations on watched addresses, which no generation of the npm library has. */
export const pythonAddressWatches = (world: () => CompatWorld, python: () => PythonClient): void => {
  /** The result of an operation of the administrator. @throws the client's exception */
  const value = async (operation: string, named: Readonly<Record<string, unknown>>): Promise<unknown> => {
    const { api, developer } = world().cluster.description;
    const { token, credential } = developer;
    const privateKey = readFileSync(credential.keyFile, "utf8");
    const access = { baseUrl: api.url, token, credential: { id: credential.id, privateKey } };
    const answer = await python().call(access, operation, named);
    if ("message" in answer) throw new Error(`${operation}: ${answer.status} ${answer.message}`);
    return answer.value;
  };

  describe("the Python client from PyPI, on watched addresses", () => {
    it("watches an address, reads what came to it and what it holds, names a transaction again, and stops", async () => {
      const { service, treasury } = world();
      const to = freshReceiver();
      const body = { network: "EthereumSepolia", address: to, name: "Customer", externalId: "customer-1" };
      const made = watchSchema.parse(await value("address_watches.create_address_watch", { body }));
      expect(made).toMatchObject({ address: to.toLowerCase(), name: "Customer", status: "Active" });
      const address_watch_id = made.id;
      const amount = (ETHER / 10n).toString();
      const walletId = treasury.id;
      const asked = await service.wallets.transferAsset({ walletId, body: { kind: "Native", to, amount } });
      await until("Confirmed", () => service.wallets.getTransfer({ walletId, transferId: asked.id }));
      const read = async () => {
        const query = { direction: "In", kind: "NativeTransfer", limit: 5 };
        const { items } = historySchema.parse(
          await value("address_watches.get_address_watch_history", { address_watch_id, query }),
        );
        return { status: items.length === 0 ? "empty" : "there", items };
      };
      expect((await until("there", read)).items).toMatchObject([
        { kind: "NativeTransfer", addressWatchId: made.id, direction: "In", value: amount },
      ]);
      const { txHash } = await service.wallets.getTransfer({ walletId, transferId: asked.id });
      const again = { network: "ethereum-sepolia", body: { txHash } };
      expect(await value("networks.reindex_transaction", again)).toEqual({ success: true });
      expect((await read()).items).toHaveLength(1);
      const query = { netWorth: "true" };
      expect(
        await value("address_watches.get_address_watch_assets", { address_watch_id, query }),
      ).toMatchObject({ addressWatchId: made.id, assets: [{ kind: "Native", balance: amount }] });
      const deleted = watchSchema.parse(
        await value("address_watches.delete_address_watch", { address_watch_id }),
      );
      expect(deleted.status).toBe("Archived");
      expect(await value("address_watches.get_address_watch", { address_watch_id })).toEqual(deleted);
      const { items } = watchesSchema.parse(await value("address_watches.list_address_watches", {}));
      expect(items).toEqual([deleted]);
      expect(await value("address_watches.create_address_watch", { body })).toEqual(made);
    });
  });
};
