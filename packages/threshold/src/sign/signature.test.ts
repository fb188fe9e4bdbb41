import { secp256k1 } from "@noble/curves/secp256k1.js";
import { bytesToNumberBE, hexToBytes } from "@noble/curves/utils.js";
import { sha256 } from "@noble/hashes/sha2.js";
import { describe, expect, it } from "vitest";
import wycheproof from "../../../../test/vectors/wycheproof-ecdsa-secp256k1-sha256.json" with {
  type: "json",
};
import { ORDER } from "../group.ts";
import { isSignatureOf, normalised, type Signature } from "./signature.ts";

const SIGNATURE_BYTES = 64;
const RECOVERIES = [0, 1] as const;
/**
 * Vectors whose x(Γ) is r + q, which only a second recovery bit would show; a signer refuses such a Γ
 * (nonce-scalar.ts).
 */
const REDUCED_NONCES = new Set([
  "k*G has a large x-coordinate",
  "r = 2, x = n + 2 is the smallest possible x with a reduction",
]);

/** The vectors whose r and s are as long as ours always are. */
const vectors = wycheproof.vectors
  .filter(({ signature }) => signature.length === 2 * SIGNATURE_BYTES)
  .map(({ id, key, message, signature, valid, comment }) => {
    const bytes = hexToBytes(signature);
    return {
      id,
      publicKey: secp256k1.Point.fromHex(key),
      digest: sha256(hexToBytes(message)),
      r: bytesToNumberBE(bytes.subarray(0, 32)),
      s: bytesToNumberBE(bytes.subarray(32)),
      isExpected: valid && !REDUCED_NONCES.has(comment),
    };
  });

type Vector = (typeof vectors)[number];

/** The recovery ids with which a signature is accepted. */
const takenWith = ({ publicKey, digest, r }: Vector, s: bigint): readonly Signature["recovery"][] =>
  RECOVERIES.filter((recovery) => isSignatureOf(publicKey, digest, { r, s, recovery }));

describe("a signature that is released", () => {
  it("P19 is what Wycheproof says is valid, with s low and one recovery id", () => {
    expect(vectors.length).toBeGreaterThan(200);
    for (const vector of vectors) {
      const isLow = vector.s <= ORDER / 2n;
      expect([vector.id, takenWith(vector, vector.s).length]).toEqual([
        vector.id,
        vector.isExpected && isLow ? 1 : 0,
      ]);
    }
  });

  it("never has a high s: only the low one of s and q - s is accepted", () => {
    const high = vectors.filter(({ isExpected, s }) => isExpected && s > ORDER / 2n);
    expect(high.length).toBeGreaterThan(0);
    for (const vector of high) {
      expect(takenWith(vector, vector.s)).toEqual([]);
      expect(takenWith(vector, ORDER - vector.s)).toHaveLength(1);
    }
  });

  it.each([0n, -1n, ORDER, ORDER + 1n, 1n << 256n])(
    "P9 is nothing with r or s of %i, without a throw",
    (value) => {
      const [{ publicKey, digest, r, s } = expect.fail()] = vectors;
      expect(isSignatureOf(publicKey, digest, { r: value, s, recovery: 0 })).toBe(false);
      expect(isSignatureOf(publicKey, digest, { r, s: value, recovery: 0 })).toBe(false);
    },
  );

  it("P9 is nothing under the identity, for which anybody can make one", () => {
    const { BASE, Fn, ZERO } = secp256k1.Point;
    const [{ digest } = expect.fail()] = vectors;
    const { x, y } = BASE.multiply(Fn.create(bytesToNumberBE(digest))).toAffine();
    const forged: Signature = { r: x, s: 1n, recovery: (y & 1n) === 0n ? 0 : 1 };
    expect(isSignatureOf(ZERO, digest, forged)).toBe(false);
  });

  it("P7 is of a digest of 32 bytes, and of no other form of its number", () => {
    const [vector = expect.fail()] = vectors.filter(({ isExpected, s }) => isExpected && s <= ORDER / 2n);
    const longer = { ...vector, digest: Uint8Array.of(0, ...vector.digest) };
    expect(takenWith(vector, vector.s)).toHaveLength(1);
    expect(takenWith(longer, vector.s)).toEqual([]);
  });

  it("has a low s: of s and q - s the smaller, and the recovery id that belongs to it", () => {
    const { BASE } = secp256k1.Point;
    const { x: r, y } = BASE.toAffine();
    const parity = (y & 1n) === 0n ? 0 : 1;
    expect(normalised(BASE, r, 5n)).toEqual({ r, s: 5n, recovery: parity });
    expect(normalised(BASE, r, ORDER - 5n)).toEqual({ r, s: 5n, recovery: 1 - parity });
  });

  it("P19 recovers to the key by the library, for any number of keys and uses", () => {
    const keys = Array.from({ length: 17 }, (_, index) => sha256(Uint8Array.of(index)));
    for (let round = 0; round < 2; round += 1) {
      for (const [index, secret] of keys.entries()) {
        const publicKey = secp256k1.Point.fromBytes(secp256k1.getPublicKey(secret));
        const digest = sha256(Uint8Array.of(round, index));
        const bytes = secp256k1.sign(digest, secret, { prehash: false, format: "recovered" });
        const { r, s, recovery } = secp256k1.Signature.fromBytes(bytes, "recovered");
        const other = sha256(digest);
        const stranger = secp256k1.Point.BASE.multiply(BigInt(index + 2));
        const taken = [
          ...RECOVERIES.map((parity) => isSignatureOf(publicKey, digest, { r, s, recovery: parity })),
          isSignatureOf(publicKey, other, { r, s, recovery: recovery === 0 ? 0 : 1 }),
          isSignatureOf(publicKey.negate(), digest, { r, s, recovery: recovery === 0 ? 0 : 1 }),
          isSignatureOf(stranger, digest, { r, s, recovery: recovery === 0 ? 0 : 1 }),
        ];
        expect(taken).toEqual([recovery === 0, recovery === 1, false, false, false]);
      }
    }
  });

  it("does not verify under the identity, or for a digest of another length", () => {
    const [{ publicKey, digest, r, s } = expect.fail()] = vectors;
    for (const recovery of RECOVERIES) {
      expect(isSignatureOf(secp256k1.Point.ZERO, digest, { r, s, recovery })).toBe(false);
      expect(isSignatureOf(publicKey, digest.subarray(1), { r, s, recovery })).toBe(false);
      expect(isSignatureOf(publicKey, new Uint8Array(33), { r, s, recovery })).toBe(false);
    }
  });
});
