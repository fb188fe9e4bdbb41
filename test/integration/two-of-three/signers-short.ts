import { describe, expect, it } from "vitest";
import { freshReceiver, makeFundedWallet } from "../funded-wallet.ts";
import { PATIENCE_MS } from "../patience.ts";
import { signingOf } from "../service-log.ts";
import { cluster } from "./shared-two-of-three.ts";

/** Tests in which one signer dies, and then a second one. */
export const signersShort = (): void => {
  describe("a cluster of two of three signers", () => {
    const send = async (walletId: string) =>
      cluster.api.transfer(walletId, { kind: "Native", to: freshReceiver(), amount: "1" });

    it("INV-5 signs with any two, and waits when only one is left", async () => {
      const wallet = await makeFundedWallet(cluster);
      await cluster.kill("signer-1");
      const signed = await cluster.api.confirmed(await send(wallet.id), PATIENCE_MS);
      expect(signingOf(cluster.layout, signed.id).quorum).toEqual([2, 3]);
      await cluster.kill("signer-3");
      const waiting = await cluster.api.follow(
        await send(wallet.id),
        ({ reason }) => reason !== undefined,
        PATIENCE_MS,
      );
      expect(waiting).toMatchObject({
        status: "Executing",
        reason: "waiting for signers: 1 of the 2 needed is live; signer-1, signer-3 do not answer",
      });
      await cluster.restart("signer-1");
      await cluster.api.confirmed(waiting, PATIENCE_MS);
      expect(signingOf(cluster.layout, waiting.id).quorum).toEqual([1, 2]);
      expect(await cluster.chain.transactionCount(wallet.address)).toBe(2);
      await cluster.restart("signer-3");
      await cluster.ready();
    });
  });
};
