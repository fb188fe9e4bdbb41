import { describe, expect, test } from "vitest";
import { authorisedKeySchema, authorisedMessageSchema, MESSAGE_BYTES_MAX } from "./authorisation.ts";

const id = (prefix: string): string => `${prefix}-aaaaa-bbbbb-0000000000000001`;
const date = "2026-11-20T00:00:00.000Z";
const policy = { outcome: "Allowed", policies: [], date };

const key = {
  version: 1,
  kind: "key",
  orgId: id("or"),
  walletId: id("wa"),
  keyId: id("key"),
  threshold: 3,
  policy,
  dateRequested: date,
};

const message = {
  version: 1,
  kind: "message",
  requestId: id("sig"),
  orgId: id("or"),
  keyId: id("key"),
  scheme: "FROST-Ed25519",
  message: "00ff",
  policy,
  dateRequested: date,
};

describe("an authorised key", () => {
  test.each([
    ["ECDSA", "secp256k1"],
    ["FROST-Ed25519", "ed25519"],
    ["FROST-BIP340", "secp256k1"],
    ["FROST-Taproot", "secp256k1"],
  ])("has the scheme %s on %s, and on no other curve", (scheme, curve) => {
    const other = curve === "ed25519" ? "secp256k1" : "ed25519";
    expect(authorisedKeySchema.safeParse({ ...key, scheme, curve }).success).toBe(true);
    expect(authorisedKeySchema.safeParse({ ...key, scheme, curve: other }).success).toBe(false);
  });

  test.each(["CGGMP24", "EdDSA", ""])("has no scheme %o", (scheme) => {
    expect(authorisedKeySchema.safeParse({ ...key, scheme, curve: "secp256k1" }).success).toBe(false);
  });
});

describe("an authorised message", () => {
  test.each([
    ["empty", ""],
    ["short", "00ff"],
    ["of the largest size", "ab".repeat(MESSAGE_BYTES_MAX)],
  ])("may be %s", (_, hex) => {
    expect(authorisedMessageSchema.safeParse({ ...message, message: hex }).success).toBe(true);
  });

  test.each([
    ["larger", { message: "ab".repeat(MESSAGE_BYTES_MAX + 1) }],
    ["half a byte", { message: "abc" }],
    ["in capitals, which would be a second form of one message", { message: "FF" }],
    ["for an ECDSA key", { scheme: "ECDSA" }],
    ["a transfer", { kind: "transfer" }],
    ["more than it says", { digest: "00" }],
  ])("is not %s", (_, change) => {
    expect(authorisedMessageSchema.safeParse({ ...message, ...change }).success).toBe(false);
  });
});
