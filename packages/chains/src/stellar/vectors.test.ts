import { ed25519 } from "@noble/curves/ed25519.js";
import { Keypair, TransactionBuilder } from "@stellar/stellar-sdk";
import { describe, expect, it } from "vitest";
import vectors from "../../../../test/vectors/stellar.json" with { type: "json" };
import { attachStellarSignature } from "./attach.ts";
import { stellarAddress } from "./rules/address.ts";
import { unsignedStellar } from "./signed.ts";
import { decodeStellar, stellarHash, stellarId } from "./transaction.ts";

describe("transactions of the real networks", () => {
  it.each(vectors.signed)(
    "have the hash that they were signed under, and are put together from it: $id",
    ({ id, passphrase, envelope }) => {
      const signed = new Uint8Array(Buffer.from(envelope, "base64"));
      const theirs = TransactionBuilder.fromXDR(envelope, passphrase);
      const unsigned = unsignedStellar(signed);
      const decoded = decodeStellar(unsigned);
      if (!decoded.ok || !("source" in theirs)) expect.fail("it is read");
      expect([decoded.value.from, decoded.value.sequence.toString()]).toEqual([
        theirs.source,
        theirs.sequence,
      ]);
      expect([stellarId(passphrase, unsigned), theirs.hash().toString("hex")]).toEqual([id, id]);
      const bytes = new Uint8Array(theirs.signatures[0]?.signature() ?? []);
      const key = new Uint8Array(Keypair.fromPublicKey(theirs.source).rawPublicKey());
      expect(ed25519.verify(bytes, stellarHash(passphrase, unsigned), key)).toBe(true);
      const signature = { scheme: "FROST-Ed25519", bytes } as const;
      expect(attachStellarSignature(unsigned, [signature], [key], { passphrase })).toEqual({
        ok: true,
        value: { signed, txHash: id },
      });
    },
  );

  it.each(vectors.refused)("are not read when they do more, or never end: $why", (refused) => {
    const { id, passphrase, envelope, why } = refused;
    expect(TransactionBuilder.fromXDR(envelope, passphrase).hash().toString("hex")).toBe(id);
    const decoded = decodeStellar(unsignedStellar(new Uint8Array(Buffer.from(envelope, "base64"))));
    expect(!decoded.ok && decoded.problem.message).toContain(why);
  });
});

describe("addresses", () => {
  it("are those that the official SDK derives", () => {
    for (let at = 0; at < 10; at += 1) {
      const key = Keypair.random();
      expect(stellarAddress(new Uint8Array(key.rawPublicKey()))).toBe(key.publicKey());
    }
  });
});
