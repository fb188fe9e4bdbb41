import { describe, expect, it, test } from "vitest";
import { ED25519, multiplyGenerator, SECP256K1 } from "./curve.ts";

describe.each([
  ["secp256k1", SECP256K1],
  ["ed25519", ED25519],
] as const)("points of %s", (_, curve) => {
  const { parsePoint } = curve;
  const encoded = (factor: bigint): Uint8Array =>
    curve.name === "secp256k1"
      ? multiplyGenerator(SECP256K1, factor).toBytes()
      : multiplyGenerator(ED25519, factor).toBytes();

  it("are parsed once while they are remembered", () => {
    const first = parsePoint(encoded(7n));
    expect(parsePoint(encoded(7n))).toBe(first);
    expect(first?.toBytes()).toEqual(encoded(7n));
  });

  it("are forgotten when others came after them, and parsed anew", () => {
    const first = parsePoint(encoded(8n));
    for (let factor = 100n; factor < 400n; factor++) parsePoint(encoded(factor));
    const anew = parsePoint(encoded(8n));
    expect(anew).not.toBe(first);
    expect(anew?.toBytes()).toEqual(encoded(8n));
  });

  it("P21 that are refused are refused again", () => {
    const wrong = encoded(9n).fill(0xff);
    expect([parsePoint(wrong), parsePoint(wrong)]).toEqual([undefined, undefined]);
  });
});

test("P21 a point outside Ed25519's group is refused, also when the cleared one was parsed before", () => {
  const lowOrder = new Uint8Array(32); // y = 0: a point of order 4
  expect(ED25519.parseCleared(lowOrder)).toBeUndefined();
  expect([ED25519.parsePoint(lowOrder), ED25519.parsePoint(lowOrder)]).toEqual([undefined, undefined]);
});
