import { DfnsError } from "dfns-sdk-0-5-8";
import { describe, expect, it } from "vitest";
import { type CompatWorld, freshReceiver } from "./compat-world.ts";
import { until } from "./until.ts";

/** Tests the service with the oldest and the newest supported generation of the library. */
export const generations = (world: () => CompatWorld): void => {
  describe("client 0.5.8, with an appid and a fresh nonce on every request,", () => {
    it("creates a wallet and signs with it", async () => {
      const { older } = world();
      const wallet = await older.wallets.createWallet({ body: { network: "EthereumSepolia", name: "old" } });
      const signed = await older.wallets.generateSignature({
        walletId: wallet.id,
        body: { kind: "Message", message: "0x6f6c64" },
      });
      expect(signed.status).toBe("Signed");
      expect((await older.wallets.listWallets({ query: { limit: "1" } })).items[0]?.id).toBe(wallet.id);
    });

    it("transfers, and reads what it did", async () => {
      const { older, treasury } = world();
      const walletId = treasury.id;
      const body = { kind: "Native", to: freshReceiver(), amount: "3" } as const;
      const { id: transferId } = await older.wallets.transferAsset({ walletId, body });
      const done = await until("Confirmed", () => older.wallets.getTransfer({ walletId, transferId }));
      expect(done.requestBody).toEqual(body);
      expect((await older.wallets.getWalletHistory({ walletId })).items[0]).toMatchObject({
        kind: "NativeTransfer",
        direction: "Out",
        txHash: done.txHash,
      });
    });

    it("lists what an organisation has, and fails with its own error", async () => {
      const { older } = world();
      const lists = [
        await older.policies.listPolicies({}),
        await older.policies.listApprovals({}),
        await older.permissions.listPermissions({}),
        await older.webhooks.listWebhooks({}),
        await older.auth.listUsers({}),
        await older.auth.listServiceAccounts(),
        await older.auth.listApplications(),
      ];
      for (const { items } of lists) expect(items).toBeInstanceOf(Array);
      const error = await older.policies
        .getPolicy({ policyId: "plc-00000-00000-0000000000000000" })
        .catch((cause: unknown) => cause);
      expect(error).toBeInstanceOf(DfnsError);
      expect(error).toMatchObject({ httpStatus: 404 });
    });
  });

  describe("client 0.8.21", () => {
    it("creates a wallet on a key that there is, and reads both", async () => {
      const { newer } = world();
      const key = await newer.keys.createKey({ body: { scheme: "ECDSA", curve: "secp256k1" } });
      const wallet = await newer.wallets.createWallet({
        body: { network: "EthereumSepolia", signingKey: { id: key.id } },
      });
      expect(wallet.signingKey).toMatchObject({ id: key.id, publicKey: key.publicKey });
      const read = await newer.keys.getKey({ keyId: key.id });
      expect(read.wallets).toEqual([{ id: wallet.id, network: "EthereumSepolia" }]);
    });

    it("reads what all wallets of the organisation did", async () => {
      const { newer, treasury } = world();
      const query = { startTime: "2020-01-01T00:00:00.000Z", endTime: "2099-01-01T00:00:00.000Z", limit: 5 };
      // the library's type includes text for a table, which this test does not request
      const listed = await newer.wallets.listOrgWalletHistory({ query });
      expect(listed).toMatchObject({
        items: expect.arrayContaining([expect.objectContaining({ direction: "Out" })]),
      });
      expect(JSON.stringify(listed)).toContain(treasury.id);
    });

    it("lists what an organisation has", async () => {
      const { newer } = world();
      const lists = [
        await newer.keys.listKeys({ query: { limit: 2 } }),
        await newer.policies.listPolicies({ query: { limit: "2" } }),
        await newer.policies.listApprovals({ query: { limit: "2" } }),
        await newer.permissions.listPermissions({ query: { limit: 2 } }),
        await newer.webhooks.listWebhooks({ query: { limit: 2 } }),
        await newer.auth.listUsers({ query: { limit: 2 } }),
      ];
      for (const { items } of lists) expect(items.length).toBeLessThanOrEqual(2);
    });
  });
};
