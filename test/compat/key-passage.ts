import { SigningKey, verifyMessage, Wallet } from "ethers";
import { describe, expect, it } from "vitest";
import { KeyReceiver, randomScalar, shardKey } from "../../examples/key-client.ts";
import type { CompatWorld } from "./compat-world.ts";
import { operatorSays } from "./operator.ts";

const TAKEN = [
  { protocol: "CGGMP24", curve: "secp256k1" } as const,
  { protocol: "FROST", curve: "ed25519" } as const,
];

const hex32 = (secret: bigint): string => `0x${secret.toString(16).padStart(64, "0")}`;

/** Keys that clients bring and take. The vendor's utilities are not on npm: a client of the tests' own shards keys. */
export const keyPassage = (world: () => CompatWorld): void => {
  describe("keys that come and go", () => {
    const secret = randomScalar();
    const own = new Wallet(hex32(secret));
    const sharded = async (key: bigint) => {
      const { clusters } = await world().service.signers.listSigners();
      return shardKey(key, clusters[0]?.signers ?? []);
    };
    const network = "EthereumSepolia" as const;

    it("are refused until the operator activates imports for the organisation", async () => {
      const body = { network, ...(await sharded(secret)) };
      await expect(world().service.wallets.importWallet({ body })).rejects.toMatchObject({
        httpStatus: 403,
        context: { body: { error: { details: { code: "ImportNotActivated" } } } },
      });
      const { orgId } = world().cluster.description.developer;
      expect(await operatorSays(world(), "import", "--organisation", orgId, "--allow")).toBe(
        `done: ${orgId} may bring keys\n`,
      );
    });

    it("stay where they are until the operator activates exports for the organisation", async () => {
      const { service, cluster, treasury } = world();
      const body = { encryptionKey: new KeyReceiver().encryptionKey, supportedSchemes: TAKEN };
      const walletId = treasury.id;
      await expect(service.wallets.exportWallet({ walletId, body })).rejects.toMatchObject({
        httpStatus: 403,
        context: { body: { error: { details: { code: "ExportNotActivated" } } } },
      });
      const { orgId } = cluster.description.developer;
      expect(await operatorSays(world(), "export", "--organisation", orgId, "--allow")).toBe(
        `done: ${orgId} may take keys out\n`,
      );
    });

    it("come as a wallet that has the client's own address, and signs", async () => {
      const { wallets } = world().service;
      const body = { network, name: "brought", ...(await sharded(secret)) };
      const wallet = await wallets.importWallet({ body });
      expect(wallet).toMatchObject({ address: own.address, name: "brought", imported: true });
      const signed = await wallets.generateSignature({
        walletId: wallet.id,
        body: { kind: "Message", message: "0x6f6c64" },
      });
      expect(verifyMessage("old", signed.signature?.encoded ?? "")).toBe(own.address);
      await expect(wallets.importWallet({ body })).rejects.toMatchObject({ httpStatus: 409 });

      const receiver = new KeyReceiver();
      const { encryptedKeyShares, minSigners } = await wallets.exportWallet({
        walletId: wallet.id,
        body: { encryptionKey: receiver.encryptionKey, supportedSchemes: TAKEN },
      });
      const shares = encryptedKeyShares.slice(0, minSigners);
      expect(receiver.keyFrom(shares.map((share) => share.encryptedKeyShare))).toBe(secret);
    });

    it("come as a key without a wallet, and go again", async () => {
      const { keys } = world().service;
      const another = randomScalar();
      const { id: keyId } = await keys.importKey({ body: { name: "spare", ...(await sharded(another)) } });
      const receiver = new KeyReceiver();
      const exported = await keys.exportKey({
        keyId,
        body: { encryptionKey: receiver.encryptionKey, supportedSchemes: TAKEN },
      });
      expect(exported).toMatchObject({ protocol: "CGGMP24", curve: "secp256k1", minSigners: 3 });
      expect(`0x${exported.publicKey}`).toBe(new SigningKey(hex32(another)).compressedPublicKey);
      const shares = exported.encryptedKeyShares.slice(-exported.minSigners);
      expect(receiver.keyFrom(shares.map((share) => share.encryptedKeyShare))).toBe(another);
      expect(await keys.getKey({ keyId })).toMatchObject({ imported: true, exported: true });
    });

    it("are kept in one store", async () => {
      const { items } = await world().service.signers.listKeyStores();
      expect(items).toMatchObject([{ kind: "Mpc", primary: true }]);
    });
  });
};
