import { describe, expect, it } from "vitest";
import type { EvmContent } from "../families/evm/act.ts";
import { EVM_RULES } from "../families/evm/rules.ts";
import { primaryTypeOf } from "../families/evm/typed-data.ts";
import type { FamilyTable } from "../families/rules.ts";
import { networkSchema } from "../network.ts";
import { signatureBodySchema } from "./signature-body.ts";
import { judgeSignature, type SignatureSubject } from "./signature-judgement.ts";

const families: FamilyTable = { find: (family) => (family === "Evm" ? EVM_RULES : undefined) };
const HASH = "5A".repeat(32);
const TYPED = {
  kind: "Eip712",
  types: { Box: [{ name: "it", type: "bool" }] },
  domain: { name: "d", chainId: "1" },
  message: { it: true },
};
const hash = { kind: "Hash", hash: HASH };
const message = { kind: "Message", message: "0xAB" };
const eip7702 = {
  kind: "Eip7702",
  address: "0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed",
  nonce: 7,
  chainId: 1,
};
const transaction = { kind: "Transaction", transaction: "0x02Ff" };

const readable = (content: EvmContent) => ({ kind: "readable", family: "Evm", content });

const judged = (scheme: SignatureSubject["scheme"], network: string | undefined, body: unknown): unknown => {
  const parsed = signatureBodySchema.safeParse(body);
  if (!parsed.success) return "not a body";
  const result = judgeSignature(
    families,
    {
      scheme,
      network: network === undefined ? undefined : networkSchema.parse(network),
      internalKey: `02${HASH}`,
    },
    parsed.data,
  );
  if (!result.ok) return result.problem.code;
  if (!("message" in result.value)) return result.value.content;
  const { message, merkleRoot } = result.value;
  return merkleRoot === undefined ? message : { message, merkleRoot };
};

describe("the request to sign with a key", () => {
  it.each([
    ["ECDSA", "Ethereum", hash, { kind: "hash", hash: HASH.toLowerCase() }],
    ["ECDSA", undefined, { ...hash, hash: `0x${HASH}` }, { kind: "hash", hash: HASH.toLowerCase() }],
    ["ECDSA", "Bitcoin", hash, { kind: "hash", hash: HASH.toLowerCase() }],
    ["ECDSA", "KeyECDSA", hash, { kind: "hash", hash: HASH.toLowerCase() }],
    ["ECDSA", "Ethereum", message, readable({ kind: "message", message: "ab" })],
    ["ECDSA", undefined, { kind: "Eip191", message: "" }, readable({ kind: "message", message: "" })],
    ["ECDSA", undefined, { ...message, blockchainKind: "Evm" }, readable({ kind: "message", message: "ab" })],
    [
      "ECDSA",
      "Ethereum",
      eip7702,
      readable({ kind: "eip7702", address: eip7702.address.toLowerCase(), nonce: 7, chainId: 1 }),
    ],
    [
      "ECDSA",
      "Ethereum",
      transaction,
      readable({ kind: "transaction", network: "Ethereum", transaction: "02ff" }),
    ],
    ["FROST-Ed25519", "Solana", hash, HASH.toLowerCase()],
    ["FROST-Ed25519", undefined, message, "ab"],
    ["FROST-BIP340", undefined, hash, HASH.toLowerCase()],
    ["FROST-Taproot", "Bitcoin", { ...hash, taprootMerkleRoot: "" }, HASH.toLowerCase()],
    [
      "FROST-Taproot",
      undefined,
      { ...hash, taprootMerkleRoot: `0x${HASH}` },
      { message: HASH.toLowerCase(), merkleRoot: HASH.toLowerCase() },
    ],
  ] as const)("by a key of %s on %s is %j as it stands", (scheme, network, body, content) => {
    expect(judged(scheme, network, body)).toEqual(content);
  });

  it("as typed data is signed with the one type that no other holds", () => {
    const { types, domain, message: values } = TYPED;
    expect(judged("ECDSA", undefined, TYPED)).toEqual(
      readable({ kind: "eip712", typedData: { primaryType: "Box", types, domain, message: values } }),
    );
  });

  it.each([
    ["SignatureKindNotSupported", "ECDSA", "Bitcoin", message],
    ["SignatureKindNotSupported", "ECDSA", "KeyECDSA", transaction],
    ["SignatureKindNotSupported", "ECDSA", undefined, { ...message, blockchainKind: "Tron" }],
    ["SignatureKindNotSupported", "FROST-Ed25519", "Solana", transaction],
    ["SignatureKindNotSupported", "FROST-Ed25519", undefined, { kind: "Eip191", message: "" }],
    ["SignatureKindNotSupported", "FROST-Ed25519", undefined, TYPED],
    ["SignatureKindNotSupported", "FROST-BIP340", undefined, message],
    ["SignatureKindNotSupported", "ECDSA", "Tron", eip7702],
    ["SignatureKindNotSupported", "FROST-Ed25519", undefined, eip7702],
    ["AddressInvalid", "ECDSA", undefined, { ...eip7702, address: "0x00" }],
    ["AddressChecksum", "ECDSA", undefined, { ...eip7702, address: eip7702.address.replace("aAeb", "AAeb") }],
    ["InvalidBody", "ECDSA", undefined, transaction],
    ["InvalidBody", "ECDSA", "Ethereum", { ...message, blockchainKind: "Solana" }],
    ["InvalidBody", "ECDSA", undefined, { ...hash, taprootMerkleRoot: "" }],
    ["InvalidBody", "FROST-Ed25519", undefined, { ...hash, taprootMerkleRoot: "" }],
    ["InvalidBody", "FROST-Taproot", "Bitcoin", hash],
    ["InvalidBody", "FROST-BIP340", undefined, { ...hash, taprootMerkleRoot: "" }],
    ["TypedDataInvalid", "ECDSA", undefined, { ...TYPED, types: {} }],
    ["TypedDataInvalid", "ECDSA", undefined, { ...TYPED, types: { ...TYPED.types, Other: [] } }],
  ] as const)("is answered %s by a key of %s on %s for %j", (code, scheme, network, body) => {
    expect(judged(scheme, network, body)).toBe(code);
  });
});

it("under a script tree is nothing that a key of an older version signs, whose internal key nobody knows", () => {
  const tree = { ...hash, taprootMerkleRoot: HASH };
  const parsed = signatureBodySchema.parse(tree);
  const older = { scheme: "FROST-Taproot", network: undefined } as const;
  expect(judgeSignature(families, older, parsed)).toMatchObject({ problem: { code: "InvalidBody" } });
});

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

describe("the type that is signed", () => {
  it("may hold itself, and is not the domain's", () => {
    const types = {
      EIP712Domain: [{ name: "name", type: "string" }],
      Node: [
        { name: "next", type: "Node[]" },
        { name: "leaf", type: "Leaf" },
      ],
      Leaf: [],
    };
    expect(primaryTypeOf(types)).toBe("Node");
  });

  it("is none when structs hold each other", () => {
    const hold = (type: string) => [{ name: "other", type }];
    expect(primaryTypeOf({ A: hold("B"), B: hold("A[2]") })).toBeUndefined();
  });
});
