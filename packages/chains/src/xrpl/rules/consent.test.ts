import { concatBytes, hexToBytes, utf8ToBytes } from "@noble/hashes/utils.js";
import { describe, expect, it } from "vitest";
import vectors from "../../../../../test/vectors/xrpl.json" with { type: "json" };
import { isXrplConsent } from "./consent.ts";

const behind = (domain: string, length: number): Uint8Array =>
  concatBytes(utf8ToBytes(domain), new Uint8Array(length).fill(7));

describe("INV-3 bytes that an Ed25519 key does not sign unread", () => {
  it.each(["STX\0", "SMT\0", "CLM\0", "BCH\0", "CPT\0", "CPM\0", "SPN\0", "SPM\0", "MAN\0", "ZZZ\0"])(
    "are those of the domain %j",
    (domain) => {
      // the shortest is a claim on a payment channel: 32 bytes of the channel and 8 of the amount
      for (const length of [40, 100, 1_000]) expect(isXrplConsent(behind(domain, length))).toBe(true);
    },
  );

  it.each(vectors.landed)("are those of a real transaction: $id", ({ signed }) => {
    expect(isXrplConsent(concatBytes(utf8ToBytes("STX\0"), hexToBytes(signed)))).toBe(true);
  });

  it.each([0x14, 0x15])("are what a bridge's witness attests, which has no domain: field %i", (field) => {
    expect(isXrplConsent(concatBytes(Uint8Array.of(0x30, field), new Uint8Array(100)))).toBe(true);
    expect(isXrplConsent(concatBytes(Uint8Array.of(0x31, field), new Uint8Array(100)))).toBe(false);
  });

  it.each([
    ["nothing", new Uint8Array()],
    ["a domain alone", utf8ToBytes("STX\0")],
    ["a hash that begins alike", behind("STX\0", 28)],
    ["text that begins alike", utf8ToBytes("STX is what they call it, and this text is long enough")],
    ["what stands further back", behind(" STX\0", 100)],
    ["a domain in small letters", behind("stx\0", 100)],
    ["a domain of two letters, as Algorand has them", behind("TX", 100)],
  ])("are not %s", (_, message) => {
    expect(isXrplConsent(message)).toBe(false);
  });
});
