import { judgeSignature, networkSchema, signatureBodySchema } from "@conclave/custody";
import { describe, expect, it } from "vitest";
import { describeExactBytes, describeTransfers, judgesOf } from "../../rules/testing/judgement-suite.ts";
import { xrplTransactionSchema, xrplTransferSchema } from "./act.ts";
import { XRPL_RULES } from "./rules.ts";

const network = networkSchema.parse("XrpLedger");
const SENDER = "rEiq1iAcpzP8WLjezP9MzAQEJ7jqKMLFSA";
const TO = "r9cZA1mLK5R5Am25ArfXFmqgNwjZgnfk59";
const WITH_TAG_1 = "X7AcgcsBL6XDcUb289X4mJ8djcdyKaGZMhc9YTE92ehJ2Fu";
const WITHOUT_TAG = "X7AcgcsBL6XDcUb289X4mJ8djcdyKaB5hJDWMArnXr61cqZ";
const OF_TESTNET = "T719a5UwUCnEs54UsxG9CJYYDhwmFCvbJNZbi37gBGkRkbE";
const XRP = { symbol: "XRP", decimals: 6, verified: true };
const FACTS = { chain: "the XRP Ledger", rules: XRPL_RULES, network, sender: SENDER };
const native = { kind: "Native", to: TO, amount: "1500000" };

describeTransfers({
  ...FACTS,
  schema: xrplTransferSchema,
  judged: [[native, { transfer: { ...native, from: SENDER }, asset: XRP, token: undefined }]],
  taken: [{ ...native, amount: "100000000000000000" }],
  answered: [
    ["AmountInvalid amount", { ...native, amount: "0" }],
    ["AmountInvalid amount", { ...native, amount: "-1" }],
    ["AmountInvalid amount", { ...native, amount: "1.5" }],
    ["AmountInvalid amount", { ...native, amount: "01" }],
    ["AmountInvalid amount", { ...native, amount: "100000000000000001" }],
    ["AddressInvalid to", { ...native, to: "0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed" }],
    ["AddressInvalid to", { ...native, to: OF_TESTNET }],
    ["AddressInvalid to", { ...native, to: SENDER }],
    ["AddressChecksum to", { ...native, to: `${TO.slice(0, -1)}8` }],
    ["MemoInvalid memo", { ...native, memo: "abc" }],
    ["MemoInvalid memo", { ...native, memo: "07" }],
    ["MemoInvalid memo", { ...native, memo: "4294967296" }],
    ["MemoInvalid memo", { ...native, memo: "99999999999999999999" }],
    ["MemoInvalid memo", { ...native, to: WITH_TAG_1, memo: "2" }],
    ["MemoInvalid memo", { ...native, to: WITH_TAG_1, memo: "0" }],
    ["PriorityNotSupported priority", { ...native, priority: "Fast" }],
    ["TransferKindNotSupported kind", { kind: "Erc20", contract: TO, to: TO, amount: "1" }],
    ["TransferKindNotSupported kind", { kind: "Asa", assetId: "1", to: TO, amount: "1" }],
  ],
  unreadable: [],
  asset: {},
  shown: [[native, undefined]],
  tokens: [],
  notTokens: ["x"],
});

describe("a destination tag on the XRP Ledger", () => {
  const { judge } = judgesOf(FACTS);

  it.each([
    ["a memo", { memo: "7" }, 7],
    ["a memo of zero, which is a tag", { memo: "0" }, 0],
    ["a memo of the largest", { memo: "4294967295" }, 4_294_967_295],
    ["an empty memo, which is none", { memo: "" }, undefined],
    ["the address", { to: WITH_TAG_1 }, 1],
    ["the address, and a memo that says the same", { to: WITH_TAG_1, memo: "1" }, 1],
    ["a memo beside an address that holds none", { to: WITHOUT_TAG, memo: "5" }, 5],
    ["nothing", { to: WITHOUT_TAG }, undefined],
  ])("is that of %s", (_, change, tag) => {
    const judged = judge({ ...native, ...change });
    const transfer = judged.ok ? judged.value.transfer : expect.fail(judged.problem.message);
    expect(transfer).toMatchObject({ to: TO });
    expect([transfer["tag"], "tag" in transfer]).toEqual([tag, tag !== undefined]);
    expect(xrplTransferSchema.safeParse(transfer).success).toBe(true);
  });
});

describeExactBytes({
  ...FACTS,
  transaction: xrplTransactionSchema,
  schemes: ["ECDSA", "FROST-Ed25519"],
  unsigned: [{ body: { kind: "Eip191", message: "00" } }],
});

describe("a key in bytes of the XRP Ledger", () => {
  it.each([
    ["02ab".padEnd(66, "0"), "02ab".padEnd(66, "0")],
    ["ab".repeat(32), `ed${"ab".repeat(32)}`],
  ])("is named as the ledger writes it: %s", (publicKey, signingPubKey) => {
    const body = { kind: "Transaction", transaction: "0xAB" } as const;
    const judged = XRPL_RULES.judgeTransaction(network, body, SENDER, publicKey);
    expect(judged.ok && judged.value).toEqual({ kind: "Exact", from: SENDER, unsigned: "ab", signingPubKey });
    expect(judged.ok && xrplTransactionSchema.safeParse(judged.value).success).toBe(true);
  });

  it("is the key that is asked, which goes into bytes that leave it out", () => {
    const publicKey = "cd".repeat(32);
    const judged = judgeSignature(
      judgesOf(FACTS).families,
      { scheme: "FROST-Ed25519", network, publicKey },
      signatureBodySchema.parse({ kind: "Transaction", transaction: "0xAB" }),
    );
    expect(judged.ok && judged.value).toMatchObject({
      content: { content: { signingPubKey: `ed${publicKey}` } },
    });
  });
});

it("the XRP Ledger's asset is XRP alone, and an address has one spelling", () => {
  expect(XRPL_RULES.nativeAsset(network)).toEqual(XRP);
  expect(XRPL_RULES.spell(WITH_TAG_1)).toBe(TO);
});
