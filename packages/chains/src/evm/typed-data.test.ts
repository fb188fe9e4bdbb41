import { type TypedData, typedDataSchema } from "@conclave/custody";
import { TypedDataEncoder } from "ethers";
import fc from "fast-check";
import { bytesToHex } from "viem/utils";
import { describe, expect, it } from "vitest";
import { hashTyped } from "./typed-data.ts";

/** The example in EIP-712, which states its digest. */
const MAIL: TypedData = {
  primaryType: "Mail",
  types: {
    Person: [
      { name: "name", type: "string" },
      { name: "wallet", type: "address" },
    ],
    Mail: [
      { name: "from", type: "Person" },
      { name: "to", type: "Person" },
      { name: "contents", type: "string" },
    ],
  },
  domain: {
    name: "Ether Mail",
    version: "1",
    chainId: 1,
    verifyingContract: "0xCcCCccccCCCCcCCCCCCcCcCccCcCCCcCcccccccC",
  },
  message: {
    from: { name: "Cow", wallet: "0xCD2a3d9F938E13CD947Ec05AbC7FE734Df8DD826" },
    to: { name: "Bob", wallet: "0xbBbBBBBbbBBBbbbBbbBbbbbBBbBbbbbBbBbbBBbB" },
    contents: "Hello, Bob!",
  },
};
const MAIL_DIGEST = "0xbe609aee343fb3c4b28e1df9e632fca64fcfaede20f02e86244efddf30957bd2";

const DOMAIN_TYPE = [
  { name: "name", type: "string" },
  { name: "version", type: "string" },
  { name: "chainId", type: "uint256" },
  { name: "verifyingContract", type: "address" },
];

const outcome = (typedData: TypedData): string => {
  const hashed = hashTyped(typedData);
  return hashed.ok ? bytesToHex(hashed.value) : `${hashed.problem.code} ${hashed.problem.details["field"]}`;
};

/** Typed data with one struct of one field. */
const one = (type: string, value: unknown, change: Partial<TypedData> = {}): TypedData => ({
  primaryType: "Box",
  types: { Box: [{ name: "it", type }] },
  domain: {},
  message: { it: value },
  ...change,
});

describe("typed data", () => {
  it("hashes to what EIP-712 says of its example", () => {
    expect(outcome(MAIL)).toBe(MAIL_DIGEST);
  });

  it("hashes the same when its types list the domain, in the domain's order", () => {
    const types = { ...MAIL.types, EIP712Domain: DOMAIN_TYPE };
    expect(outcome({ ...MAIL, types })).toBe(MAIL_DIGEST);
    expect(outcome({ ...MAIL, types: { ...types, EIP712Domain: [...DOMAIN_TYPE].reverse() } })).not.toBe(
      MAIL_DIGEST,
    );
  });

  it("hashes as ethers does, whatever the values", () => {
    const value = fc.record({
      flag: fc.boolean(),
      small: fc.integer({ min: -128, max: 127 }),
      large: fc.bigInt({ min: 0n, max: 2n ** 256n - 1n }).map(String),
      text: fc.string().filter((text) => !/[\0\p{Surrogate}]/u.test(text)),
      blob: fc.uint8Array({ maxLength: 80 }).map((bytes) => bytesToHex(bytes)),
      four: fc.uint8Array({ minLength: 4, maxLength: 4 }).map((bytes) => bytesToHex(bytes)),
      who: fc.uint8Array({ minLength: 20, maxLength: 20 }).map((bytes) => bytesToHex(bytes)),
      grid: fc.array(fc.array(fc.nat(65_535), { minLength: 2, maxLength: 2 }), { maxLength: 3 }),
    });
    const types = {
      Leaf: [
        { name: "flag", type: "bool" },
        { name: "small", type: "int8" },
        { name: "large", type: "uint256" },
        { name: "text", type: "string" },
        { name: "blob", type: "bytes" },
        { name: "four", type: "bytes4" },
        { name: "who", type: "address" },
        { name: "grid", type: "uint16[2][]" },
      ],
      Tree: [
        { name: "leaves", type: "Leaf[]" },
        { name: "first", type: "Leaf" },
      ],
    };
    const salt = `0x${"5a".repeat(32)}`;
    fc.assert(
      fc.property(fc.array(value, { maxLength: 3 }), value, (leaves, first) => {
        const message = { leaves, first };
        const typedData = typedDataSchema.parse({
          primaryType: "Tree",
          types,
          domain: { name: "d", salt },
          message,
        });
        expect(outcome(typedData)).toBe(TypedDataEncoder.hash({ name: "d", salt }, types, message));
      }),
      { numRuns: 40 },
    );
  });

  it.each(["intent", "uintBox", "bytesHolder", "int", "bytes33"])(
    "INV-9 with a struct in it that is named %s is refused: a throw would stop the signer",
    (name) => {
      const types = { Mail: [{ name: "it", type: name }], [name]: [{ name: "a", type: "uint8" }] };
      const typedData = typedDataSchema.parse({
        primaryType: "Mail",
        types,
        domain: {},
        message: { it: { a: 1 } },
      });
      expect(hashTyped(typedData)).toMatchObject({
        ok: false,
        problem: { code: "TypedDataInvalid", details: { field: "types" } },
      });
    },
  );

  it.each([
    ["a field that is missing", one("uint8", 1, { message: {} }), "message.it"],
    [
      "a field that no type lists, which would not be signed",
      one("uint8", 1, { message: { it: 1, more: 2 } }),
      "message.more",
    ],
    ["a number out of its type's range", one("uint8", 256), "message.it"],
    ["a negative unsigned number", one("uint8", "-1"), "message.it"],
    ["a signed number out of range", one("int8", -129), "message.it"],
    ["a number with a fraction", one("uint8", 1.25), "message.it"],
    ["a number that JSON has rounded", one("uint256", 2 ** 60), "message.it"],
    ["a number in words", one("uint256", "ten"), "message.it"],
    ["a truth that is a text", one("bool", "false"), "message.it"],
    ["bytes of the wrong length", one("bytes4", "0x0102"), "message.it"],
    ["half a byte", one("bytes", "0x1"), "message.it"],
    ["bytes without 0x", one("bytes", "abcd"), "message.it"],
    [
      "an address with a wrong checksum",
      one("address", "0xCD2a3d9F938E13CD947Ec05AbC7FE734Df8DD82A"),
      "message.it",
    ],
    ["a list that is too short", one("uint8[2]", [1]), "message.it"],
    ["a list that is none", one("uint8[]", { length: 1 }), "message.it"],
    ["a struct that is a list", one("Box", []), "message.it"],
    ["a type that is not defined", one("Nothing", 1), "types.Box.it"],
    ["an integer of an odd width", one("uint7", 1), "types.Box.it"],
    ["an integer without a width", one("uint", 1), "types.Box.it"],
    ["what every object inherits as a type", one("constructor", 1), "types.Box.it"],
    ["the domain as a field's type", one("EIP712Domain", {}), "types.Box.it"],
    [
      "a struct under an atomic type's name",
      one("uint8", 1, { types: { Box: [{ name: "it", type: "uint8" }], uint8: [] } }),
      "types.uint8",
    ],
    [
      "a field that is named twice",
      one("uint8", 1, {
        types: {
          Box: [
            { name: "it", type: "uint8" },
            { name: "it", type: "bool" },
          ],
        },
      }),
      "types.Box",
    ],
    ["another primary type", one("uint8", 1, { primaryType: "Other" }), "primaryType"],
    ["the domain as primary type", one("uint8", 1, { primaryType: "EIP712Domain" }), "primaryType"],
    [
      "a chain id that is no uint256",
      one("uint8", 1, { domain: { chainId: `${10n ** 77n * 9n}9` } }),
      "domain.chainId",
    ],
    [
      "a domain type that leaves out a field of the domain",
      { ...MAIL, types: { ...MAIL.types, EIP712Domain: DOMAIN_TYPE.slice(1) } },
      "types.EIP712Domain",
    ],
    [
      "a domain type with another type of a field",
      {
        ...MAIL,
        types: { ...MAIL.types, EIP712Domain: DOMAIN_TYPE.with(0, { name: "name", type: "bytes" }) },
      },
      "types.EIP712Domain",
    ],
  ])("INV-3 is refused with %s", (_name, typedData, field) => {
    expect(outcome(typedData)).toBe(`TypedDataInvalid ${field}`);
  });

  it("that holds itself without end is refused, not followed", () => {
    let message: Record<string, unknown> = { next: [] };
    for (let depth = 0; depth < 10_000; depth += 1) message = { next: [message] };
    const types = { Node: [{ name: "next", type: "Node[]" }] };
    expect(outcome({ primaryType: "Node", types, domain: {}, message })).toMatch(/^TypedDataInvalid/);
    expect(outcome({ primaryType: "Node", types, domain: {}, message: { next: [{ next: [] }] } })).toMatch(
      /^0x/,
    );
  });

  it("whose hashing would take long is refused", () => {
    const fields = Array.from({ length: 64 }, (_, at) => ({
      name: `f${at}${"x".repeat(40)}`,
      type: "Leaf[]",
    }));
    const types = { Leaf: [], Wide: fields, Root: [{ name: "wides", type: "Wide[]" }] };
    const wide = Object.fromEntries(fields.map(({ name }) => [name, []]));
    const message = { wides: Array.from({ length: 400 }, () => wide) };
    expect(outcome({ primaryType: "Root", types, domain: {}, message })).toMatch(/^TypedDataInvalid/);
  });

  it("never throws, whatever passes its schema", () => {
    const name = fc.constantFrom("A", "B", "uint8", "EIP712Domain", "$x");
    const type = fc.constantFrom(
      "A",
      "B[]",
      "uint8",
      "uint256[2]",
      "string",
      "bytes",
      "bytes33",
      "int",
      "bool",
      "address",
    );
    const types = fc.dictionary(name, fc.array(fc.record({ name, type }), { maxLength: 3 }));
    const message = fc.dictionary(name, fc.jsonValue());
    fc.assert(
      fc.property(name, types, message, fc.jsonValue(), (primaryType, given, values, domain) => {
        const parsed = typedDataSchema.safeParse({ primaryType, types: given, domain, message: values });
        const plain = typedDataSchema.safeParse({ primaryType, types: given, domain: {}, message: values });
        for (const each of [parsed, plain]) {
          if (each.success) expect(outcome(each.data)).toMatch(/^(0x[0-9a-f]{64}|TypedDataInvalid .+)$/);
        }
      }),
      { numRuns: 300 },
    );
  });
});

describe("a struct whose name has a mark, as exchanges write them", () => {
  const USD_SEND = [
    { name: "hyperliquidChain", type: "string" },
    { name: "destination", type: "string" },
    { name: "amount", type: "string" },
    { name: "time", type: "uint64" },
  ];
  const message = { hyperliquidChain: "Mainnet", destination: "0x01", amount: "1", time: 1_700_000_000_000 };
  const domain = { name: "HyperliquidSignTransaction", version: "1", chainId: 42_161 };
  const CONTRACT_ADDRESS = "0x0000000000000000000000000000000000000000";

  it.each(["HyperliquidTransaction:UsdSend", "a.b", "a-b", "a/b", "a@b", "a$b", "$a", "a:b:c", "a::", "_:x"])(
    "is hashed as ethers and viem hash it: %s",
    (primaryType) => {
      const types = { [primaryType]: USD_SEND };
      const given = { ...domain, verifyingContract: CONTRACT_ADDRESS };
      const typedData = typedDataSchema.parse({ primaryType, types, domain: given, message });
      const hash = TypedDataEncoder.hash(given, types, message);
      expect(outcome(typedData)).toBe(hash);
    },
  );

  it.each(["a(b", "a)b", "a,b", "a[b", "a]b", "a b", "a\nb", ":a", "", "a\u0000b", "a\u202eb", "1a", "é"])(
    "INV-9 is refused with what encodings are made of, or what is no text: %j",
    (primaryType) => {
      const types = { [primaryType]: USD_SEND };
      expect(typedDataSchema.safeParse({ primaryType, types, domain, message }).success).toBe(false);
    },
  );

  it.each<readonly [string, Record<string, { name: string; type: string }[]>, string]>([
    ["holds another struct", { "a:b": [{ name: "x", type: "P" }], P: [{ name: "y", type: "bool" }] }, "a:b"],
    ["is held by another", { P: [{ name: "x", type: "a:b" }], "a:b": [{ name: "y", type: "bool" }] }, "P"],
    [
      "begins like another",
      { "P:b": [{ name: "y", type: "bool" }], P: [{ name: "y", type: "bool" }] },
      "P:b",
    ],
  ])("INV-3 is refused where it %s: libraries differ there", (_, types, primaryType) => {
    const value = { y: true };
    const whole = primaryType === "P:b" ? value : { x: value };
    const typedData = typedDataSchema.parse({ primaryType, types, domain, message: whole });
    expect(outcome(typedData)).toMatch(/^TypedDataInvalid types\./);
  });
});
