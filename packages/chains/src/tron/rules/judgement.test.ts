import { hexToBytes } from "@noble/hashes/utils.js";
import { describe, expect, it } from "vitest";
import { describeExactBytes, describeTransfers, judgesOf } from "../../rules/testing/judgement-suite.ts";
import { tronTransactionSchema, tronTransferSchema } from "./act.ts";
import { tronAddress } from "./address.ts";
import { TRON_RULES } from "./rules.ts";

const SENDER = "TJRabPrwbZy45sbavfcjinPJC18kjpRTv8";
const TO = "TPL66VK2gCXNCD7EJg9pgJRfqcRazjhUZY";
const ZERO = "T9yD14Nj9j7xAB4dbGeiX9h8unkKHxuWwb";
const CONTRACT = "TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6t";
const LARGEST = "9223372036854775807";
const BEYOND = "9223372036854775808";
const WORD = (2n ** 256n - 1n).toString();
const BEYOND_WORD = (2n ** 256n).toString();
const FACTS = { chain: "TRON", rules: TRON_RULES, network: "TronNile", sender: SENDER };
const native = { kind: "Native", to: TO, amount: "1500000" };
const trc10 = { kind: "Trc10", tokenId: "1002000", to: TO, amount: "5" };
const trc20 = { kind: "Trc20", contract: CONTRACT, to: TO, amount: "5" };
const trc721 = { kind: "Trc721", contract: CONTRACT, to: TO, tokenId: "0" };
const asset = { symbol: "USDT", decimals: 6 };
const moved = { value: "5", ...asset };

describeTransfers({
  ...FACTS,
  schema: tronTransferSchema,
  judged: [
    [
      native,
      {
        transfer: { ...native, from: SENDER },
        asset: { symbol: "TRX", decimals: 6, verified: true },
        token: undefined,
      },
    ],
    // other facts of a token are known to the chain alone
    [trc10, { transfer: { ...trc10, from: SENDER }, asset: {}, token: "1002000" }],
    [trc20, { transfer: { ...trc20, from: SENDER }, asset: {}, token: CONTRACT }],
    [trc721, { transfer: { ...trc721, from: SENDER }, asset: {}, token: CONTRACT }],
  ],
  taken: [
    { ...native, amount: LARGEST },
    { ...trc10, amount: LARGEST, tokenId: LARGEST },
    { ...trc20, amount: WORD },
    { ...trc721, tokenId: WORD },
    { ...trc20, to: SENDER },
  ],
  answered: [
    ["AmountInvalid amount", { ...native, amount: "0" }],
    ["AmountInvalid amount", { ...native, amount: "-1" }],
    ["AmountInvalid amount", { ...native, amount: "1.5" }],
    ["AmountInvalid amount", { ...native, amount: "01" }],
    ["AmountInvalid amount", { ...native, amount: BEYOND }],
    ["AmountInvalid amount", { ...trc10, amount: BEYOND }],
    ["AmountInvalid amount", { ...trc20, amount: "0" }],
    ["AmountInvalid amount", { ...trc20, amount: BEYOND_WORD }],
    ["TokenIdInvalid tokenId", { ...trc10, tokenId: "0" }],
    ["TokenIdInvalid tokenId", { ...trc10, tokenId: "1000000" }],
    ["TokenIdInvalid tokenId", { ...trc10, tokenId: "BTT" }],
    ["TokenIdInvalid tokenId", { ...trc10, tokenId: "01002000" }],
    ["TokenIdInvalid tokenId", { ...trc721, tokenId: "-1" }],
    ["TokenIdInvalid tokenId", { ...trc721, tokenId: BEYOND_WORD }],
    ["AddressInvalid to", { ...native, to: "0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed" }],
    ["AddressInvalid to", { ...native, to: TO.toLowerCase() }],
    ["AddressInvalid to", { ...trc721, to: ZERO }],
    ["AddressChecksum to", { ...native, to: `${TO.slice(0, -1)}Z` }],
    ["AddressChecksum to", { ...trc10, to: `${TO.slice(0, -1)}Z` }],
    ["AddressChecksum contract", { ...trc20, contract: `${CONTRACT.slice(0, -1)}u` }],
    ["AddressInvalid contract", { ...trc721, contract: "0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed" }],
    ["AddressInvalid to", { ...native, to: SENDER }],
    ["AddressInvalid to", { ...trc10, to: SENDER }],
    ["PriorityNotSupported priority", { ...native, priority: "Fast" }],
    ["MemoNotSupported memo", { ...native, memo: "1" }],
    ["TransferKindNotSupported kind", { kind: "Erc20", contract: CONTRACT, to: TO, amount: "1" }],
    ["TransferKindNotSupported kind", { kind: "Asa", assetId: "1", to: TO, amount: "1" }],
  ],
  unreadable: [trc10, trc20, trc721].flatMap((body) =>
    ["priority", "memo", "feeLimit", "data", "from"].map((field) => ({ ...body, [field]: "x" })),
  ),
  asset,
  shown: [
    [trc10, { kind: "Trc10Transfer", tokenId: "1002000", ...moved }],
    [trc20, { kind: "Trc20Transfer", contract: CONTRACT, ...moved }],
    [trc721, { kind: "Trc721Transfer", contract: CONTRACT, tokenId: "0" }],
    [native, undefined],
  ],
  tokens: [
    ["1002000", { kind: "Trc10", tokenId: "1002000" }],
    [CONTRACT, { kind: "Trc20", contract: CONTRACT }],
  ],
  notTokens: [],
});

describe("a recipient on TRON", () => {
  const { codeOf, whyOf, wordsOf } = judgesOf(FACTS);
  const account = (hex: string): string => tronAddress(hexToBytes(hex.padStart(40, "0")));

  it("INV-9 gets a refusal that names the form of TRC-10 ids", () => {
    expect(wordsOf({ ...trc10, tokenId: "1000000" })).toContain("above 1000000");
  });

  it.each([
    ["the contract of the token that is sent", trc20, CONTRACT],
    ["the contract of the token that is sent", trc721, CONTRACT],
    ["the black hole", native, "TLsV52sRDL79HXGGm9yzwKibb6BeruhUzy"],
    ["the black hole", trc10, "TSJD5rdu6wZXP7F2m3a3tn8Co3JcMjtBip"],
    ["the black hole", trc20, "TLsV52sRDL79HXGGm9yzwKibb6BeruhUzy"],
    ["a precompiled contract", native, account("01")],
    ["a precompiled contract", trc20, account("09")],
    ["a precompiled contract", trc721, account("01000001")],
    ["a precompiled contract", trc10, account("dead")],
    ["a precompiled contract", trc20, account("ffffffff")],
  ])("whom nobody signs for is refused, unless the caller insists: %s %j %s", (what, body, to) => {
    expect(whyOf({ ...body, to })).toContain(`RecipientUnsuitable ${what}`);
    expect(whyOf({ ...body, to, sendAnyway: true })).toBe("ok");
  });

  it("is never the zero address, which TRON's own black hole of tokens is", () => {
    expect(account("")).toBe(ZERO);
    for (const body of [native, trc10, trc20, trc721]) {
      expect(codeOf({ ...body, to: ZERO })).toBe("AddressInvalid to");
      expect(codeOf({ ...body, to: ZERO, sendAnyway: true })).toBe("AddressInvalid to");
    }
  });

  it("may be the contract of a token that is not sent, as far as anybody knows without the chain", () => {
    expect(whyOf({ ...native, to: CONTRACT })).toBe("ok");
    expect(whyOf({ ...trc20, to: account("0100000000") })).toBe("ok");
  });
});

it("an address of TRON has one spelling", () => {
  expect([TRON_RULES.spell(TO), TRON_RULES.nativeDecimals]).toEqual([TO, 6]);
});

describeExactBytes({
  ...FACTS,
  transaction: tronTransactionSchema,
  schemes: ["ECDSA"],
  unsigned: [{ body: { kind: "Message", message: "00" } }, { body: { kind: "Eip191", message: "00" } }],
});
