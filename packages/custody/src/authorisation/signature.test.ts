import { describe, expect, test } from "vitest";
import { authorisedSignatureSchema } from "./signature.ts";

const id = (prefix: string): string => `${prefix}-aaaaa-bbbbb-0000000000000001`;
const date = "2026-11-20T00:00:00.000Z";
const typedData = {
  primaryType: "Box",
  types: { Box: [{ name: "it", type: "bool" }] },
  domain: {},
  message: { it: true },
};
const hash = { kind: "hash", hash: "5a".repeat(32) };
const message = { kind: "message", message: "00ff" };
const readable = (content: unknown) => ({ kind: "readable", family: "Evm", content });
const signature = {
  version: 2,
  kind: "signature",
  requestId: id("sig"),
  orgId: id("or"),
  walletId: id("wa"),
  keyId: id("key"),
  scheme: "ECDSA",
  content: hash,
  policy: { outcome: "Allowed", policies: [], date },
  dateRequested: date,
};

const CONTENTS = [
  ["a message", message],
  ["typed data", { kind: "eip712", typedData }],
  ["a transaction of a network", { kind: "transaction", network: "Ethereum", transaction: "02c0" }],
] as const;

describe("an authorised signature", () => {
  test("holds a hash as a content of kind hash", () => {
    expect(authorisedSignatureSchema.parse(signature)).toEqual(signature);
  });

  test.each(CONTENTS)("holds %s whole, for its family to read", (_name, content) => {
    const authorised = { ...signature, content: readable(content) };
    expect(authorisedSignatureSchema.parse(authorised)).toEqual(authorised);
  });

  test("may be by an Ed25519 key, for content that a family reads", () => {
    const content = { kind: "transaction", network: "AlgorandTestnet", transaction: "80" };
    const authorised = {
      ...signature,
      scheme: "FROST-Ed25519",
      content: { kind: "readable", family: "Algorand", content },
    };
    expect(authorisedSignatureSchema.parse(authorised)).toEqual(authorised);
  });

  test("may be by a key without a wallet", () => {
    expect(authorisedSignatureSchema.safeParse({ ...signature, walletId: undefined }).success).toBe(true);
  });

  test.each([
    ["of no content", { content: undefined }],
    ["of a content that no family is named for", { content: message }],
    ["P7 of a hash beside a message", { content: { ...hash, message: "00" } }],
    ["P7 of a hash that a family shall read", { content: { ...readable(message), hash: hash.hash } }],
    ["of a hash that is too short", { content: { kind: "hash", hash: "5a".repeat(31) } }],
    ["of a hash in capitals", { content: { kind: "hash", hash: "5A".repeat(32) } }],
    ["P7 of a hash by a FROST key", { scheme: "FROST-Ed25519" }],
    ["of a BIP-340 key", { scheme: "FROST-BIP340", content: readable(message) }],
    ["of a transfer's id", { requestId: id("xfr") }],
    ["without a policy decision", { policy: undefined }],
    ["of another kind", { kind: "transfer" }],
    ["of a version that is not known", { version: 3 }],
    ["with more than it says", { digest: hash.hash }],
  ])("INV-8 is not %s", (_name, change) => {
    expect(authorisedSignatureSchema.safeParse({ ...signature, ...change }).success).toBe(false);
  });
});

describe("a signature that version 0.1 authorised", () => {
  const old = { ...signature, version: 1 };

  test("INV-5 of a hash is read as a current signature of a hash", () => {
    expect(authorisedSignatureSchema.parse(old)).toEqual(signature);
  });

  test.each(CONTENTS)("INV-5 of %s is read as EVM content", (_name, content) => {
    const authorised = { ...old, content };
    expect(authorisedSignatureSchema.parse(authorised)).toEqual({ ...signature, content: readable(content) });
  });

  test("P7 of a hash with further fields is refused", () => {
    const content = { ...hash, message: "00" };
    expect(authorisedSignatureSchema.safeParse({ ...old, content }).success).toBe(false);
  });
});
