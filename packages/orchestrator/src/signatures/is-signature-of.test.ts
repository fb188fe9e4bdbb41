import { schnorr, secp256k1 } from "@noble/curves/secp256k1.js";
import { bytesToNumberBE } from "@noble/curves/utils.js";
import { expect, test } from "vitest";
import { isSchemeSignatureOf } from "./is-signature-of.ts";

const bytes = new Uint8Array(32).fill(7);
const merkleRoot = new Uint8Array(32).fill(0x5b);
const { secretKey, publicKey: internalKey } = secp256k1.keygen();

/** BIP-341's output key and its secret, computed with noble alone. */
const tweaked = (...root: readonly Uint8Array[]) => {
  const { Point } = secp256k1;
  const x = internalKey.slice(1);
  const even =
    internalKey[0] === 2 ? secretKey : Point.Fn.toBytes(Point.Fn.neg(Point.Fn.fromBytes(secretKey)));
  const tweak = bytesToNumberBE(schnorr.utils.taggedHash("TapTweak", x, ...root));
  const secret = Point.Fn.toBytes(Point.Fn.add(Point.Fn.fromBytes(even), Point.Fn.create(tweak)));
  return { secret, publicKey: schnorr.getPublicKey(secret) };
};

test("P19 a Taproot signature verifies under the key that is tweaked with its script tree, and under no other", () => {
  const [plain, tree] = [tweaked(), tweaked(merkleRoot)];
  const keys = { publicKey: plain.publicKey, internalKey };
  const scheme = "FROST-Taproot" as const;
  const signature = { scheme, bytes: schnorr.sign(bytes, tree.secret) };
  expect(isSchemeSignatureOf({ scheme, bytes, merkleRoot }, signature, keys)).toBe(true);
  expect(isSchemeSignatureOf({ scheme, bytes }, signature, keys)).toBe(false);
  expect(isSchemeSignatureOf({ scheme, bytes, merkleRoot: bytes }, signature, keys)).toBe(false);
  const withoutInternalKey = { ...keys, internalKey: undefined };
  expect(isSchemeSignatureOf({ scheme, bytes, merkleRoot }, signature, withoutInternalKey)).toBe(false);
  const usual = { scheme, bytes: schnorr.sign(bytes, plain.secret) };
  expect(isSchemeSignatureOf({ scheme, bytes }, usual, withoutInternalKey)).toBe(true);
});
