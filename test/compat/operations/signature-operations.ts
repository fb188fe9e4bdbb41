import { createPublicKey, verify } from "node:crypto";
import { Transaction, verifyAuthorization, verifyMessage, verifyTypedData } from "ethers";
import { describe, expect, it } from "vitest";
import { type CompatWorld, freshReceiver } from "../compat-world.ts";

const hex = (text: string): string => `0x${Buffer.from(text).toString("hex")}`;
/** SPKI prefix of an Ed25519 key, before its 32 bytes (RFC 8410) */
const ED25519_PREFIX = Buffer.from("302a300506032b6570032100", "hex");

/** client.wallets and client.keys: signatures. */
export const signatureOperations = (world: () => CompatWorld): void => {
  describe("client.wallets.generateSignature", () => {
    it("signs a message as ethers verifies it", async () => {
      const { service, treasury } = world();
      const walletId = treasury.id;
      const signed = await service.wallets.generateSignature({
        walletId,
        body: { kind: "Message", message: hex("I am the treasury") },
      });
      expect(signed).toMatchObject({ id: expect.stringMatching(/^sig-/), status: "Signed", walletId });
      const encoded = signed.signature?.encoded ?? "";
      expect(verifyMessage("I am the treasury", encoded)).toBe(treasury.address);
      const signatureId = signed.id;
      expect(await service.wallets.getSignature({ walletId, signatureId })).toEqual(signed);
      expect((await service.wallets.listSignatures({ walletId })).items).toContainEqual(signed);
    });

    it("signs typed data as ethers verifies it", async () => {
      const { service, treasury } = world();
      const domain = { name: "Desk", version: "1", chainId: 11155111 };
      const types = { Order: [{ name: "amount", type: "uint256" }] };
      const message = { amount: "1000" };
      const signed = await service.wallets.generateSignature({
        walletId: treasury.id,
        body: { kind: "Eip712", domain, types, message },
      });
      const encoded = signed.signature?.encoded ?? "";
      expect(verifyTypedData(domain, types, message, encoded)).toBe(treasury.address);
    });

    it("hands the account's code over as ethers verifies it", async () => {
      const { newer, treasury } = world();
      const authorization = { address: freshReceiver(), nonce: 10_001, chainId: 11155111 };
      const { signature } = await newer.wallets.generateSignature({
        walletId: treasury.id,
        body: { kind: "Eip7702", ...authorization },
      });
      const { r = "", s = "", recid } = signature ?? {};
      const by = verifyAuthorization(authorization, { r, s, yParity: recid === 1 ? 1 : 0 });
      expect(by).toBe(treasury.address);
    });

    it("signs a transaction and answers its signed bytes", async () => {
      const { service, treasury } = world();
      const unsigned = Transaction.from({
        type: 2,
        chainId: 11155111,
        nonce: 10_000,
        to: freshReceiver(),
        value: 3n,
        gasLimit: 21_000n,
        maxFeePerGas: 20_000_000_000n,
        maxPriorityFeePerGas: 1n,
      });
      const signed = await service.wallets.generateSignature({
        walletId: treasury.id,
        body: { kind: "Transaction", transaction: unsigned.unsignedSerialized },
      });
      const transaction = Transaction.from(signed.signedData ?? "");
      expect([transaction.from, transaction.unsignedHash]).toEqual([treasury.address, unsigned.unsignedHash]);
    });
  });

  describe("client.keys.generateSignature", () => {
    it("signs a message under Ed25519 as Node verifies it", async () => {
      const { keys } = world().service;
      const { id: keyId, publicKey } = await keys.createKey({ body: { scheme: "EdDSA", curve: "ed25519" } });
      const message = Buffer.from("minutes of the meeting");
      const signed = await keys.generateSignature({
        keyId,
        body: { kind: "Message", message: `0x${message.toString("hex")}` },
      });
      const { r, s } = signed.signature ?? expect.fail("it is not signed");
      const key = createPublicKey({
        key: Buffer.concat([ED25519_PREFIX, Buffer.from(publicKey, "hex")]),
        format: "der",
        type: "spki",
      });
      const signature = Buffer.from(`${r.slice(2)}${s.slice(2)}`, "hex");
      expect(verify(null, message, key, signature)).toBe(true);
      expect(await keys.getSignature({ keyId, signatureId: signed.id })).toEqual(signed);
      expect((await keys.listSignatures({ keyId })).items).toEqual([signed]);
    });
  });
};
