import { describe, expect, test } from "vitest";
import { authorisedKeySchema } from "./key.ts";
import { authorisedExportSchema } from "./key-export.ts";
import { authorisedImportSchema } from "./key-import.ts";
import { authorisedMessageSchema, MESSAGE_BYTES_MAX } from "./message.ts";

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

const ROOT = "5b".repeat(32);

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
    ["for a script tree, of a key that is not tweaked", { scheme: "FROST-BIP340", merkleRoot: ROOT }],
    ["for half a script tree", { scheme: "FROST-Taproot", merkleRoot: ROOT.slice(2) }],
    ["for no script tree by an empty name", { scheme: "FROST-Taproot", merkleRoot: "" }],
  ])("is not %s", (_, change) => {
    expect(authorisedMessageSchema.safeParse({ ...message, ...change }).success).toBe(false);
  });
});

test("an authorised message of a Taproot key may be for a script tree", () => {
  const tree = { ...message, scheme: "FROST-Taproot", merkleRoot: ROOT };
  expect(authorisedMessageSchema.parse(tree)).toMatchObject({ merkleRoot: ROOT });
});

const share = { signerId: "AAECAw==", digest: "ab".repeat(32) };
const imported = {
  version: 1,
  kind: "key-import",
  requestId: id("kim"),
  orgId: id("or"),
  keyId: id("key"),
  scheme: "ECDSA",
  protocol: "CGGMP24",
  curve: "secp256k1",
  threshold: 3,
  shares: [share, { ...share, signerId: "BAUGBw==" }],
  policy,
  dateRequested: date,
};

describe("an authorised import", () => {
  test.each([
    ["ECDSA", "CGGMP21", "secp256k1"],
    ["ECDSA", "CGGMP24", "secp256k1"],
    ["FROST-Ed25519", "FROST", "ed25519"],
    ["FROST-Taproot", "FROST_BITCOIN", "secp256k1"],
  ])("may be for %s, which clients call %s on %s", (scheme, protocol, curve) => {
    expect(authorisedImportSchema.safeParse({ ...imported, scheme, protocol, curve }).success).toBe(true);
  });

  test.each([
    ["for a scheme under another's name", { protocol: "FROST" }],
    ["for a curve that the protocol does not have", { curve: "ed25519" }],
    ["for a scheme that no client can name", { scheme: "FROST-BIP340", protocol: "FROST_BITCOIN" }],
    ["for a curve that we do not serve", { curve: "stark" }],
    ["of one share alone", { shares: [share] }],
    ["of more shares than a cluster has signers", { shares: Array.from({ length: 65 }, () => share) }],
    ["of a share without a digest", { shares: [{ signerId: "AAECAw==" }, share] }],
    ["of a share whose digest is in capitals", { shares: [share, { ...share, digest: "AB".repeat(32) }] }],
    ["of a share for an id that is not base64", { shares: [share, { ...share, signerId: "sig-1" }] }],
    ["with a threshold that is none", { threshold: 1 }],
    ["a new key", { kind: "key" }],
    ["more than it says", { chainCode: "00" }],
  ])("INV-8 is not %s", (_, change) => {
    expect(authorisedImportSchema.safeParse({ ...imported, ...change }).success).toBe(false);
  });
});

const exported = {
  version: 1,
  kind: "key-export",
  requestId: id("kex"),
  orgId: id("or"),
  keyId: id("key"),
  protocol: "CGGMP24",
  curve: "secp256k1",
  encryptionKey: `0102${"ab".repeat(32)}`,
  withChainCode: false,
  policy,
  dateRequested: date,
};

describe("an authorised export", () => {
  test.each([
    ["compressed", exported.encryptionKey],
    ["uncompressed", `0104${"ab".repeat(64)}`],
  ])("is for a client's key that is %s", (_, encryptionKey) => {
    expect(authorisedExportSchema.safeParse({ ...exported, encryptionKey }).success).toBe(true);
  });

  test.each([
    ["for a key of another version", { encryptionKey: `0202${"ab".repeat(32)}` }],
    ["for a key that is too short", { encryptionKey: `0102${"ab".repeat(31)}` }],
    [
      "for a key in capitals, which would be a second form of one key",
      { encryptionKey: `0102${"AB".repeat(32)}` },
    ],
    ["for no key", { encryptionKey: undefined }],
    ["for a protocol that we do not serve", { protocol: "KU23" }],
    ["without a policy decision", { policy: undefined }],
    ["an import", { kind: "key-import" }],
    ["more than it says", { shares: [] }],
  ])("INV-8 is not %s", (_, change) => {
    expect(authorisedExportSchema.safeParse({ ...exported, ...change }).success).toBe(false);
  });
});
