import { secp256k1 } from "@noble/curves/secp256k1.js";
import { bytesToNumberBE, concatBytes, hexToBytes } from "@noble/curves/utils.js";
import { describe, expect, it } from "vitest";
import vectors from "../../../../test/vectors/bip340.json" with { type: "json" };
import { type Point, SECP256K1 } from "../curve.ts";
import { multiplyBase } from "../group.ts";
import { BIP340_SUITE } from "./bip340-suites.ts";

const all = vectors.vectors.map((vector) => ({
  ...vector,
  key: hexToBytes(vector.publicKey),
  said: hexToBytes(vector.message),
  signed: hexToBytes(vector.signature),
}));

/** The point with even y that a BIP-340 key of 32 bytes encodes. */
const lift = (x: Uint8Array): Point => secp256k1.Point.fromBytes(concatBytes(Uint8Array.of(2), x));

describe("the vectors of BIP-340", () => {
  it("verify as they say", () => {
    const verdicts = all.map(({ signed, said, key }) => BIP340_SUITE.verify(signed, said, key));
    expect(verdicts).toEqual(all.map(({ valid }) => valid));
  });

  it("fit our challenge: s·G = R + e·P", () => {
    for (const { signed, said, key } of all.filter(({ valid }) => valid)) {
      const [R, P] = [lift(signed.subarray(0, 32)), lift(key)];
      const sum = R.add(P.multiplyUnsafe(BIP340_SUITE.challenge(R, P, said)));
      expect(multiplyBase(bytesToNumberBE(signed.subarray(32))).equals(sum)).toBe(true);
    }
  });

  it("show public keys as we do, whichever y the secret key gives", () => {
    for (const { secretKey, key } of all) {
      if (secretKey === undefined) continue;
      const point = multiplyBase(bytesToNumberBE(hexToBytes(secretKey)) % SECP256K1.order);
      const { publicKey } = BIP340_SUITE.signingKey(point);
      expect(BIP340_SUITE.pointBytes(publicKey)).toEqual(key);
      expect(publicKey.toAffine().y & 1n).toBe(0n);
    }
  });
});
