import { schnorr, secp256k1 } from "@noble/curves/secp256k1.js";
import { SigningKey, verifyMessage, Wallet } from "ethers";
import { describe, expect, it } from "vitest";
import { KeyReceiver, randomScalar, shardKey } from "../../examples/key-client.ts";
import type { CompatWorld } from "./compat-world.ts";
import { operatorSays } from "./operator.ts";

const TAKEN = [
  { protocol: "CGGMP24", curve: "secp256k1" } as const,
  { protocol: "FROST", curve: "ed25519" } as const,
  { protocol: "FROST_BITCOIN", curve: "secp256k1" } as const,
];

/** BIP-341's output key by noble, from an internal key in the API's form. */
const tweakedKey = (publicKey: string, merkleRoot: string): Uint8Array => {
  const x = Buffer.from(publicKey.slice(2), "hex");
  const digest = schnorr.utils.taggedHash("TapTweak", x, Buffer.from(merkleRoot, "hex"));
  const internal = schnorr.utils.lift_x(BigInt(`0x${x.toString("hex")}`));
  const tweak = BigInt(`0x${Buffer.from(digest).toString("hex")}`);
  return internal.add(secp256k1.Point.BASE.multiply(tweak)).toBytes(true).slice(1);
};

const thresholdOf = ({ cluster }: CompatWorld): number => cluster.description.threshold;
const hex32 = (secret: bigint): string => `0x${secret.toString(16).padStart(64, "0")}`;

/**
 * Tests of keys that clients import and export. The vendor's utilities are not on npm, so the tests shard keys with their own
 * client.
 */
export const keyPassage = (world: () => CompatWorld): void => {
  describe("keys that come and go", () => {
    const secret = randomScalar();
    const own = new Wallet(hex32(secret));
    const sharded = async (key: bigint) => {
      const { clusters } = await world().service.signers.listSigners();
      return shardKey(key, clusters[0]?.signers ?? [], { threshold: thresholdOf(world()) });
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
      expect(exported).toMatchObject({
        protocol: "CGGMP24",
        curve: "secp256k1",
        minSigners: thresholdOf(world()),
      });
      expect(`0x${exported.publicKey}`).toBe(new SigningKey(hex32(another)).compressedPublicKey);
      const shares = exported.encryptedKeyShares.slice(-exported.minSigners);
      expect(receiver.keyFrom(shares.map((share) => share.encryptedKeyShare))).toBe(another);
      expect(await keys.getKey({ keyId })).toMatchObject({ imported: true, exported: true });
    });

    it.each(["made by the signers", "brought by a client"])(
      "of Schnorr, %s, sign for any script tree, and go",
      async (origin) => {
        const { keys, signers } = world().service;
        const { clusters } = await signers.listSigners();
        const shares = () =>
          shardKey(randomScalar(), clusters[0]?.signers ?? [], {
            protocol: "FROST_BITCOIN",
            threshold: thresholdOf(world()),
          });
        const key = origin.startsWith("made")
          ? await keys.createKey({ body: { scheme: "Schnorr", curve: "secp256k1" } })
          : await keys.importKey({ body: shares() });
        const { id: keyId, publicKey } = key;
        const body = { kind: "Hash", hash: "5a".repeat(32) } as const;
        await expect(keys.generateSignature({ keyId, body })).rejects.toMatchObject({ httpStatus: 400 });
        for (const taprootMerkleRoot of ["", "5b".repeat(32)]) {
          const { signature } = await keys.generateSignature({ keyId, body: { ...body, taprootMerkleRoot } });
          const bytes = Buffer.from(signature?.encoded?.slice(2) ?? "", "hex");
          expect(
            schnorr.verify(bytes, Buffer.from(body.hash, "hex"), tweakedKey(publicKey, taprootMerkleRoot)),
          ).toBe(true);
        }
        const receiver = new KeyReceiver();
        const exported = await keys.exportKey({
          keyId,
          body: { encryptionKey: receiver.encryptionKey, supportedSchemes: TAKEN },
        });
        expect(exported).toMatchObject({ protocol: "FROST_BITCOIN", curve: "secp256k1", publicKey });
        const envelopes = exported.encryptedKeyShares.map((share) => share.encryptedKeyShare);
        // the vendor's utility checks the same: the combined shares are the secret of exactly the key that was answered
        const secret = receiver.keyFrom(envelopes.slice(0, exported.minSigners));
        expect(new SigningKey(hex32(secret)).compressedPublicKey).toBe(`0x${publicKey}`);
      },
    );

    it("are kept in one store", async () => {
      const { items } = await world().service.signers.listKeyStores();
      expect(items).toMatchObject([{ kind: "Mpc", primary: true }]);
    });
  });
};
