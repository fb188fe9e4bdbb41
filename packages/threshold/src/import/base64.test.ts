import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { decodeBase64, encodeBase64 } from "./base64.ts";

describe("base64", () => {
  it("is what Node makes of the same bytes, and reads back", () => {
    const property = fc.property(fc.uint8Array({ maxLength: 100 }), (bytes) => {
      const text = Buffer.from(bytes).toString("base64");
      expect(encodeBase64(bytes)).toBe(text);
      expect(decodeBase64(text, 100)).toEqual(bytes);
    });
    fc.assert(property);
  });

  it.each([
    "A",
    "AA",
    "AAA",
    "AA=",
    "A===",
    "AA==AAAA",
    "AAAA=",
    "AB==",
    "AAB=",
    "AA A",
    "AAAA\n",
    "AA-_",
    "é=",
  ])("P20 refuses %j", (text) => {
    expect(decodeBase64(text, 100)).toBeUndefined();
  });

  it("P13 refuses more bytes than are wanted", () => {
    expect(decodeBase64("AAAA", 3)).toEqual(new Uint8Array(3));
    expect(decodeBase64("AAAA", 2)).toBeUndefined();
    expect(decodeBase64("AAAAAAAA", 3)).toBeUndefined();
  });
});
