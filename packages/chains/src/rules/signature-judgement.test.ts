import {
  type FamilyTable,
  judgeSignature,
  networkSchema,
  type SignatureSubject,
  signatureBodySchema,
} from "@conclave/custody";
import { describe, expect, it } from "vitest";
import type { EvmContent } from "../evm/rules/act.ts";
import { primaryTypeOf } from "../evm/rules/content-judgement.ts";
import { EVM_RULES } from "../evm/rules/rules.ts";

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
