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
const signature = {
  version: 1,
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

describe("an authorised signature", () => {
  test.each([
    ["a hash that says that it is one", hash],
    ["a message", { kind: "message", message: "00ff" }],
    ["typed data", { kind: "eip712", typedData }],
    ["a transaction of a network", { kind: "transaction", network: "Ethereum", transaction: "02c0" }],
  ])("holds %s whole", (_name, content) => {
    expect(authorisedSignatureSchema.safeParse({ ...signature, content }).success).toBe(true);
  });

  test("may be of a key alone", () => {
    expect(authorisedSignatureSchema.safeParse({ ...signature, walletId: undefined }).success).toBe(true);
  });

  test.each([
    ["of no content", { content: undefined }],
    ["P7 of a message that is a hash", { content: { kind: "message", hash: hash.hash } }],
    ["P7 of a hash beside a message", { content: { ...hash, message: "00" } }],
    ["of a hash that is too short", { content: { kind: "hash", hash: "5a".repeat(31) } }],
    ["of a hash in capitals", { content: { kind: "hash", hash: "5A".repeat(32) } }],
    ["of a message in a second spelling", { content: { kind: "message", message: "0xff" } }],
    [
      "of typed data without the type that is signed",
      { content: { kind: "eip712", typedData: { ...typedData, primaryType: undefined } } },
    ],
    ["of a transaction without a network", { content: { kind: "transaction", transaction: "02c0" } }],
    ["of a FROST key", { scheme: "FROST-Ed25519" }],
    ["of a transfer's id", { requestId: id("xfr") }],
    ["without a policy decision", { policy: undefined }],
    ["of another kind", { kind: "transfer" }],
    ["with more than it says", { digest: hash.hash }],
  ])("INV-8 is not %s", (_name, change) => {
    expect(authorisedSignatureSchema.safeParse({ ...signature, ...change }).success).toBe(false);
  });
});
