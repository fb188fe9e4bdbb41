import { describe, expect, it } from "vitest";
import { signatureBodySchema } from "./signature-body.ts";

const TYPED = {
  kind: "Eip712",
  types: { Box: [{ name: "it", type: "bool" }] },
  domain: { name: "d", chainId: "1" },
  message: { it: true },
};
const hash = { kind: "Hash", hash: "5A".repeat(32) };
const eip7702 = {
  kind: "Eip7702",
  address: "0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed",
  nonce: 7,
  chainId: 1,
};

describe("the body of a signature", () => {
  const deep = (depth: number): unknown => (depth === 0 ? 1 : [deep(depth - 1)]);
  const typed = (values: unknown) => ({ ...TYPED, message: { it: values } });
  it.each([
    ["a nonce that is none", { ...eip7702, nonce: -1 }],
    ["a chain id that is none", { ...eip7702, chainId: 1.5 }],
    ["an unknown kind", { kind: "SignDocDirect", signDoc: "00" }],
    ["a hash of 31 bytes", { kind: "Hash", hash: "00".repeat(31) }],
    ["a hash of 33 bytes", { kind: "Hash", hash: "00".repeat(33) }],
    ["a hash in words", { kind: "Hash", hash: "zz".repeat(32) }],
    ["half a byte", { kind: "Message", message: "0x0" }],
    ["a message beyond 64 KiB", { kind: "Message", message: "00".repeat(64 * 1024 + 1) }],
    ["a transaction as an object", { kind: "Transaction", transaction: {} }],
    ["a field that it does not have", { ...hash, message: "00" }],
    ["an externalId of 51 characters", { ...hash, externalId: "x".repeat(51) }],
    ["an externalId that cannot be stored", { ...hash, externalId: "\0" }],
    ["typed data with a number that JSON has rounded", typed(2 ** 53)],
    ["typed data with minus zero", typed(-0)],
    ["typed data with null", typed(null)],
    ["typed data with text that cannot be stored", typed("\0")],
    ["typed data with half a surrogate pair", typed("\ud800")],
    ["typed data that are too deep", typed(deep(40))],
    ["typed data with too many values", typed(Array.from({ length: 3_000 }, () => 1))],
    ["typed data with too much text", typed("x".repeat(50_000))],
    ["typed data with text that JSON writes six times as long", typed("\u0001".repeat(10_000))],
    [
      "types that are too long",
      {
        ...TYPED,
        types: {
          Box: Array.from({ length: 64 }, (_, at) => ({ name: `f${at}`, type: "T".repeat(96) })),
          Wide: Array.from({ length: 64 }, (_, at) => ({
            name: `${"f".repeat(60)}${at}`,
            type: "T".repeat(96),
          })),
        },
      },
    ],
    ["typed data that set what an object inherits", typed(JSON.parse('{"__proto__":1}'))],
    ["a type that every object has", { ...TYPED, types: { constructor: [] } }],
    ["a field whose name hides another", { ...TYPED, types: { Box: [{ name: "a,uint8 b", type: "bool" }] } }],
    ["a type whose name hides a field", { ...TYPED, types: { Box: [{ name: "a", type: "bool b,bool" }] } }],
    ["a type with six brackets", { ...TYPED, types: { Box: [{ name: "a", type: "bool[][][][][][]" }] } }],
    [
      "more than 64 types",
      { ...TYPED, types: Object.fromEntries(Array.from({ length: 65 }, (_, at) => [`T${at}`, []])) },
    ],
    ["a domain with a field of its own", { ...TYPED, domain: { chain: 1 } }],
    ["a domain with an address that is none", { ...TYPED, domain: { verifyingContract: "0x1" } }],
  ])("INV-9 is refused with %s", (_name, body) => {
    expect(signatureBodySchema.safeParse(body).success).toBe(false);
  });
});
