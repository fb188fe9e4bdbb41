import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { freshReceiver, makeFundedWallet } from "../funded-wallet.ts";
import { PATIENCE_MS } from "../patience.ts";
import { cluster } from "./shared-two-of-three.ts";

const NODE = "anvil";
/** Whether a process reports that the development network's node does not answer. */
const reportsSilence = async (url: string): Promise<boolean> => {
  const text = await (await fetch(`${url}/metrics`)).text();
  const line = /^conclave_chain_node_silent\{network="EthereumSepolia".*\} ([01])$/m.exec(text);
  return (line ?? expect.fail("no such metric"))[1] === "1";
};

export const silentNode = (): void => {
  describe("INV-5 a chain node that does not answer", () => {
    let wallet: Awaited<ReturnType<typeof makeFundedWallet>>;
    beforeAll(async () => {
      wallet = await makeFundedWallet(cluster);
      cluster.pause(NODE);
    });
    afterAll(() => cluster.resume(NODE));

    it("is reported by the orchestrator and the gateway, and every caller learns at once that it is left alone", async () => {
      const { api, orchestrator } = cluster.description;
      const asked = () => cluster.api.send("GET", `/wallets/${wallet.id}/assets`);
      await expect
        .poll(
          async () => {
            await asked();
            return Promise.all([api.url, orchestrator.url].map(reportsSilence));
          },
          { timeout: PATIENCE_MS },
        )
        .toEqual([true, true]);
      const { status, body } = await asked();
      expect(status).toBe(503);
      expect(JSON.stringify(body)).toMatch(/does not answer, and is left alone/);
    });

    it("carries out what waited, once it answers again", async () => {
      const transfer = await cluster.api.transfer(wallet.id, {
        kind: "Native",
        to: freshReceiver(),
        amount: "1",
      });
      cluster.resume(NODE);
      expect(await cluster.api.confirmed(transfer, PATIENCE_MS)).toMatchObject({ status: "Confirmed" });
      for (const { url } of [cluster.description.api, cluster.description.orchestrator]) {
        await expect.poll(() => reportsSilence(url)).toBe(false);
      }
    });
  });
};
