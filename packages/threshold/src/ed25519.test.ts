import { ED25519_TORSION_SUBGROUP, ed25519 } from "@noble/curves/ed25519.js";
import { hexToBytes } from "@noble/curves/utils.js";
import { describe, expect, it } from "vitest";
import wycheproof from "../../../test/vectors/wycheproof-ed25519.json" with { type: "json" };
import { signEd25519, verifyEd25519 } from "./ed25519.ts";
import { seededEntropy } from "./testing/seeded-entropy.ts";

const entropy = seededEntropy("Ed25519");

describe("Ed25519 by OpenSSL", () => {
  it("signs as noble does, with one key after another and again with the first", () => {
    const seeds = [entropy(32), entropy(32)];
    for (const seed of [...seeds, ...seeds, ...seeds.map((bytes) => Uint8Array.from(bytes))]) {
      for (const length of [0, 1, 200]) {
        const message = entropy(length);
        const signature = signEd25519(message, seed);
        expect(signature).toEqual(ed25519.sign(message, seed));
        expect(verifyEd25519(signature, message, ed25519.getPublicKey(seed))).toBe(true);
      }
    }
  });

  it("verifies what Wycheproof says is valid, and nothing else", () => {
    for (const { id, key, message, signature, valid } of wycheproof.vectors) {
      const verified = verifyEd25519(hexToBytes(signature), hexToBytes(message), hexToBytes(key));
      expect([id, verified]).toEqual([id, valid]);
    }
  });

  it("remembers no more keys than it may, and still verifies under those that it forgot", () => {
    const [message, seeds] = [entropy(10), Array.from({ length: 300 }, () => entropy(32))];
    const signed = seeds.map((seed) => ({
      publicKey: ed25519.getPublicKey(seed),
      signature: signEd25519(message, seed),
    }));
    for (const { publicKey, signature } of [...signed, ...signed.slice(0, 3)])
      expect(verifyEd25519(signature, message, publicKey)).toBe(true);
  });
});

describe("P21 a key of small order", () => {
  it("verifies nothing, though the equation holds for every message", () => {
    for (const hex of ED25519_TORSION_SUBGROUP) {
      const key = hexToBytes(hex);
      const signature = Uint8Array.from([
        ...hexToBytes(ED25519_TORSION_SUBGROUP[0] ?? ""),
        ...new Uint8Array(32),
      ]);
      for (let message = 0; message < 16; message++)
        expect(verifyEd25519(signature, Uint8Array.of(message), key)).toBe(false);
    }
  });
});

describe("bytes that are no signature or no key", () => {
  const seed = entropy(32);
  const message = entropy(20);
  const [signature, key] = [signEd25519(message, seed), ed25519.getPublicKey(seed)];

  it.each([
    ["a signature too short", signature.slice(1), key],
    ["a signature too long", Uint8Array.from([...signature, 0]), key],
    ["no signature", new Uint8Array(0), key],
    ["a key too short", signature, key.slice(1)],
    ["a key too long", signature, Uint8Array.from([...key, 0])],
    ["a key that is no point", signature, Uint8Array.from([2, ...new Uint8Array(31)])],
    ["another key", signature, ed25519.getPublicKey(entropy(32))],
  ])("do not verify, and nothing throws: %s", (_, given, under) => {
    expect(verifyEd25519(given, message, under)).toBe(false);
  });
});
