import { concatBytes, utf8ToBytes } from "@noble/hashes/utils.js";
import { describe, expect, it } from "vitest";
import { isSolanaConsent } from "./consent.ts";

const KEYS = new Uint8Array(64).fill(9);
const BLOCKHASH = new Uint8Array(32).fill(7);
/** program, one account, two bytes of data */
const INSTRUCTION = Uint8Array.of(1, 1, 0, 2, 5, 5);
const bytes = (...parts: readonly (Uint8Array | readonly number[])[]): Uint8Array =>
  concatBytes(...parts.map((part) => Uint8Array.from(part)));

const LEGACY = bytes([1, 0, 1, 2], KEYS, BLOCKHASH, [1], INSTRUCTION);
const VERSION_0 = bytes([0x80], LEGACY, [0]);

describe("INV-3 bytes that an Ed25519 key does not sign unread", () => {
  it.each([
    ["a legacy message", LEGACY],
    ["one of several signers", bytes([2, 0, 0, 2], KEYS, BLOCKHASH, [1], INSTRUCTION)],
    ["one that does nothing", bytes([1, 0, 0, 1], BLOCKHASH, BLOCKHASH, [0])],
    [
      "one with a length that is longer than it need be",
      bytes([1, 0, 1, 0x82, 0], KEYS, BLOCKHASH, [1], INSTRUCTION),
    ],
    ["a message of version 0", VERSION_0],
    ["one with a lookup table", bytes([0x80], LEGACY, [1], BLOCKHASH, [1, 3], [0])],
    ["one of a version that comes after", bytes([0x81], new Uint8Array(80))],
  ])("are %s", (_, message) => {
    expect(isSolanaConsent(message)).toBe(true);
  });

  it.each([
    ["nothing", bytes([])],
    ["a hash, whatever it begins with", bytes([0x81], new Uint8Array(31))],
    ["a message that ends too early", LEGACY.slice(0, -1)],
    ["a message that goes on", bytes(LEGACY, [0])],
    ["one of version 0 without its tables", VERSION_0.slice(0, -1)],
    ["a message behind something else", bytes([0xff], utf8ToBytes("solana offchain"), LEGACY)],
    [
      "text",
      utf8ToBytes("I agree to pay what is due at the end of the month, and not a day later; signed at home"),
    ],
  ])("are not %s", (_, message) => {
    expect(isSolanaConsent(message)).toBe(false);
  });
});
