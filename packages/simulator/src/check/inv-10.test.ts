import { sha256 } from "@noble/hashes/sha2.js";
import { bytesToHex, utf8ToBytes } from "@noble/hashes/utils.js";
import { describe, expect, it } from "vitest";
import { secretsInClear, type WorldSecret } from "./inv-10.ts";

const SECRET: WorldSecret = { name: "the key of key-1", bytes: sha256(utf8ToBytes("a secret")) };
const OTHER: WorldSecret = { name: "the secret of a webhook", bytes: utf8ToBytes(`whs-${"aB3".repeat(11)}`) };
const bytes = Buffer.from(SECRET.bytes);
const found = (text: string): readonly string[] =>
  secretsInClear([SECRET, OTHER], [{ where: "a log", text }]).map(
    ({ invariant, words }) => `${invariant} ${words}`,
  );
const framed = (text: string, before: number): string => `${"x".repeat(before)}${text}, and more words`;
const ANYWHERE = Array.from({ length: 16 }, (_, before) => before);

describe("a secret", () => {
  it("is not found in other texts, in its hash, or in a part of it", () => {
    const hash = bytesToHex(sha256(SECRET.bytes));
    const part = bytesToHex(SECRET.bytes.subarray(0, 31));
    for (const text of ["", "short", hash, part, "x".repeat(500)]) expect(found(text)).toEqual([]);
  });

  it.each([
    ["bytes", bytes.toString("latin1")],
    ["hex", bytes.toString("hex")],
    ["hex", bytes.toString("hex").toUpperCase()],
    ["a decimal number", BigInt(`0x${bytes.toString("hex")}`).toString()],
    ["base64", bytes.toString("base64")],
    ["base64url", bytes.toString("base64url")],
  ])("INV-10 is found as %s, wherever it begins", (encoding, text) => {
    for (const before of ANYWHERE) {
      const [first] = found(framed(text, before));
      expect(first).toContain(`INV-10 ${SECRET.name} is in clear, as ${encoding.slice(0, 3)}`);
    }
  });

  it("INV-10 is found among other bytes in Base64", () => {
    for (const before of [1, 2, 3, 4]) {
      const longer = Buffer.concat([Buffer.alloc(before, "k"), bytes, Buffer.from("more")]);
      expect(found(longer.toString("base64"))).not.toEqual([]);
      expect(found(longer.toString("base64url"))).not.toEqual([]);
    }
  });

  it("INV-10 is found once in a place, whatever its name is, and is not in the finding", () => {
    const secret = new TextDecoder().decode(OTHER.bytes);
    const findings = found(`${secret} and ${secret}`);
    expect(findings).toEqual([`INV-10 ${OTHER.name} is in clear, as bytes, in a log`]);
    expect(findings.join()).not.toContain(secret);
  });

  it("that is too short to be looked for is refused", () => {
    const short = { name: "a PIN", bytes: utf8ToBytes("1234") };
    expect(() => secretsInClear([short], [])).toThrow("a PIN is too short");
  });
});
