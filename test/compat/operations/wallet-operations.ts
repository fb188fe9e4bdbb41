import { DfnsError } from "@dfns/sdk";
import { computeAddress } from "ethers";
import { describe, expect, it } from "vitest";
import type { CompatWorld } from "../compat-world.ts";

/** client.wallets, without signing. */
export const walletOperations = (world: () => CompatWorld): void => {
  describe("client.wallets", () => {
    it("creates a wallet whose address is the one of its public key", async () => {
      const wallet = await world().service.wallets.createWallet({
        body: { network: "EthereumSepolia", name: "first", tags: ["desk:one"] },
      });
      expect(wallet).toMatchObject({
        id: expect.stringMatching(/^wa-[a-z0-9]{5}-[a-z0-9]{5}-[a-z0-9]{14,16}$/),
        network: "EthereumSepolia",
        name: "first",
        status: "Active",
        custodial: true,
        tags: ["desk:one"],
        signingKey: { scheme: "ECDSA", curve: "secp256k1" },
      });
      expect(wallet.address).toBe(computeAddress(`0x${wallet.signingKey.publicKey}`));
      expect(await world().service.wallets.getWallet({ walletId: wallet.id })).toEqual(wallet);
    });

    it("answers the first wallet again for the same externalId, and 409 when the body is another", async () => {
      const { wallets } = world().service;
      const signingKey = { id: (await wallets.getWallet({ walletId: world().treasury.id })).signingKey.id };
      const body = { network: "KeyECDSA", signingKey, externalId: "books-17" } as const;
      const wallet = await wallets.createWallet({ body });
      expect(await wallets.createWallet({ body })).toEqual(wallet);
      const conflict = await wallets.createWallet({ body: { ...body, name: "other" } }).catch(String);
      expect(conflict).toContain('"httpStatus": 409');
      expect(conflict).toContain(wallet.id);
    });

    it("renames, tags and untags a wallet", async () => {
      const { wallets } = world().service;
      const walletId = world().treasury.id;
      expect(await wallets.tagWallet({ walletId, body: { tags: ["cold", "audited"] } })).toEqual({});
      expect(await wallets.untagWallet({ walletId, body: { tags: ["cold"] } })).toEqual({});
      const renamed = await wallets.updateWallet({ walletId, body: { name: "treasury" } });
      expect(renamed).toMatchObject({ id: walletId, name: "treasury", tags: ["audited"] });
    });

    it("lists wallets page by page until there is no nextPageToken", async () => {
      const { wallets } = world().service;
      const all = (await wallets.listWallets()).items.map(({ id }) => id);
      const paged: string[] = [];
      let paginationToken: string | undefined;
      do {
        const page = await wallets.listWallets({ query: { limit: "1", paginationToken } });
        expect(page.items.length).toBeLessThanOrEqual(1);
        paged.push(...page.items.map(({ id }) => id));
        paginationToken = page.nextPageToken;
      } while (paginationToken !== undefined);
      expect(paged).toEqual(all);
      expect(paged.length).toBeGreaterThan(1);
    });

    it("says what a wallet holds, and what is worth what", async () => {
      const { wallets } = world().service;
      const walletId = world().treasury.id;
      const assets = await wallets.getWalletAssets({ walletId, query: { netWorth: "true" } });
      expect(assets).toMatchObject({ walletId, network: "EthereumSepolia" });
      expect(assets.assets).toContainEqual(
        expect.objectContaining({ kind: "Native", symbol: "ETH", decimals: 18 }),
      );
      expect(await wallets.getWalletNfts({ walletId })).toMatchObject({ walletId, nfts: [] });
    });

    it("fails for a wallet that is not there with the library's own error", async () => {
      const walletId = "wa-00000-00000-0000000000000000";
      const error = await world()
        .service.wallets.getWallet({ walletId })
        .catch((cause: unknown) => cause);
      expect(error).toBeInstanceOf(DfnsError);
      expect(error).toMatchObject({
        name: "DfnsError",
        httpStatus: 404,
        message: "wallet not found",
        context: { body: { error: { status: 404, message: "wallet not found" } } },
      });
    });
  });
};
