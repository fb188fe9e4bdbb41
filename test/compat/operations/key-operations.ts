import { describe, expect, it } from "vitest";
import type { CompatWorld } from "../compat-world.ts";

/** client.keys, without signatures, imports and exports. */
export const keyOperations = (world: () => CompatWorld): void => {
  describe("client.keys", () => {
    it("creates a key, reads it, and lists it with the others", async () => {
      const { keys } = world().service;
      const key = await keys.createKey({ body: { scheme: "EdDSA", curve: "ed25519", name: "notary" } });
      expect(key).toMatchObject({
        id: expect.stringMatching(/^key-/),
        scheme: "EdDSA",
        curve: "ed25519",
        publicKey: expect.stringMatching(/^[0-9a-f]{64}$/),
        name: "notary",
        status: "Active",
        custodial: true,
      });
      expect(await keys.getKey({ keyId: key.id })).toMatchObject({ ...key, wallets: [] });
      expect((await keys.listKeys()).items).toContainEqual(key);
    });

    it("renames a key, and shows the wallets that sign with it", async () => {
      const { keys, wallets } = world().service;
      const treasury = await wallets.getWallet({ walletId: world().treasury.id });
      const keyId = treasury.signingKey.id;
      await keys.updateKey({ keyId, body: { name: "the treasury's" } });
      const key = await keys.getKey({ keyId });
      expect(key.name).toBe("the treasury's");
      expect(key.wallets).toContainEqual({ id: treasury.id, network: "EthereumSepolia" });
    });
  });
};
