import { concatBytes, utf8ToBytes } from "@noble/hashes/utils.js";
import { describe, expect, it } from "vitest";
import { isAlgorandConsent } from "./consent.ts";

const bytes = (text: string, ...more: readonly number[]): Uint8Array =>
  concatBytes(utf8ToBytes(text), Uint8Array.from(more));

describe("INV-3 bytes that an Ed25519 key does not sign unread", () => {
  it.each([
    ["a transaction", bytes("TX", 0x8a, 0xa3)],
    ["an empty transaction", bytes("TX", 0x80)],
    ["a transaction of many fields", bytes("TX", 0xde, 0, 16)],
    ["a transaction in a longer form", bytes("TX", 0xdf)],
    ["a program that may spend", bytes("Program", 1, 0x20)],
    ["a program of a later version", bytes("Program", 12)],
    ["a program whose version is longer than it need be", bytes("Program", 0x86, 0, 0x81, 1)],
    ["a program whose version is longer still", bytes("Program", 0x86, 0x80, 0)],
    ["a program of version 0 in two bytes", bytes("Program", 0x80, 0)],
    ["a program for an account of several keys", bytes("MsigProgram", 0xff, 1)],
  ])("are %s", (_, message) => {
    expect(isAlgorandConsent(message)).toBe(true);
  });

  it.each([
    ["nothing", bytes("")],
    ["the words alone", bytes("TX")],
    ["text that begins alike", bytes("TX 4711 is paid")],
    ["a text about programs", bytes("Program of the evening")],
    ["what stands further back", bytes(" TX", 0x8a)],
    ["bytes of a wallet's own message", bytes("MX", 0x8a)],
  ])("are not %s", (_, message) => {
    expect(isAlgorandConsent(message)).toBe(false);
  });
});
