import { networkSchema } from "@conclave/custody";
import { describe, expect, it } from "vitest";
import { describeTransfers, judgesOf } from "../../rules/testing/judgement-suite.ts";
import { bitcoinTransferSchema } from "./act.ts";
import { BITCOIN_RULES } from "./rules.ts";

const network = networkSchema.parse("Bitcoin");
const SENDER = "bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4";
const PUBLIC_KEY = "0279be667ef9dcbbac55a06295ce870b07029bfcdb2dce28d959f2815b16f81798";
const P2PKH = "1BvBMSEYstWetqTFn5Au4m4GFg7xJaNVN2";
const P2TR = "bc1p0xlxvlhemja6c4dqv22uapctqupfhlxm9h8z3k2e72q4k9hcz7vqzk5jj0";

const FACTS = { chain: "Bitcoin", rules: BITCOIN_RULES, network, sender: SENDER };
const erc20 = { kind: "Erc20", contract: "x", to: P2TR, amount: "1" } as const;
const pay = (to: string, amount: string) => ({ kind: "Native", to, amount });

describeTransfers({
  ...FACTS,
  schema: bitcoinTransferSchema,
  judged: [
    [
      // the recipient is authorised in its canonical spelling
      pay(P2TR.toUpperCase(), "100000"),
      {
        transfer: { kind: "Native", from: SENDER, to: P2TR, amount: "100000" },
        asset: { symbol: "BTC", decimals: 8, verified: true },
        token: undefined,
      },
    ],
  ],
  taken: [],
  answered: [
    ["AmountInvalid amount", pay(P2PKH, "545")],
    ["ok", pay(P2PKH, "546")],
    ["AmountInvalid amount", pay(SENDER, "293")],
    ["ok", pay(SENDER, "294")],
    ["AmountInvalid amount", pay(P2TR, "329")],
    ["ok", pay(P2TR, "330")],
    ["ok", pay(P2TR, "2100000000000000")],
    ["AmountInvalid amount", pay(P2TR, "2100000000000001")],
    ["AmountInvalid amount", pay(P2TR, "0")],
    ["AmountInvalid amount", pay(P2TR, "-1")],
    ["AmountInvalid amount", pay(P2TR, "1.5")],
    ["AmountInvalid amount", pay(P2TR, "0x100000")],
    ["AmountInvalid amount", pay(P2TR, "99999999999999999999999999")],
    ["AddressInvalid to", pay("tb1qw508d6qejxtdg4y5r3zarvary0c5xw7kxpjzsx", "1000")],
  ],
  unreadable: [],
  asset: {},
  shown: [[erc20, undefined]],
  tokens: [],
  notTokens: ["x"],
});

const codeOf = (result: { readonly ok: boolean; readonly problem?: { readonly code: string } }) =>
  result.problem?.code ?? "ok";

describe("the refusal of a transfer on Bitcoin", () => {
  it("says what dust is", () => {
    expect(judgesOf(FACTS).judge(pay(P2PKH, "500"))).toMatchObject({
      problem: {
        message: expect.stringContaining("546"),
        details: { smallest: "546", largest: "2100000000000000" },
      },
    });
  });

  it("of a token names the kind that there is", () => {
    expect(BITCOIN_RULES.judgeTransfer(network, erc20, SENDER)).toMatchObject({
      problem: { code: "TransferKindNotSupported", details: { kinds: ["Native"] } },
    });
  });
});

describe("a transaction of a caller's making on Bitcoin", () => {
  it("is a PSBT as it is, for the wallet's own coins", () => {
    const judged = BITCOIN_RULES.judgeTransaction(
      network,
      { kind: "Psbt", psbt: "0x70736274FF" },
      SENDER,
      undefined,
    );
    expect(judged).toEqual({ ok: true, value: { kind: "Exact", from: SENDER, unsigned: "70736274ff" } });
  });

  it("INV-9 is of no other template", () => {
    for (const body of [
      { kind: "Transaction", transaction: "00" },
      { kind: "Evm", to: "x" },
    ] as const) {
      expect(codeOf(BITCOIN_RULES.judgeTransaction(network, body, SENDER, undefined))).toBe(
        "TransactionKindNotSupported",
      );
    }
  });
});

describe("a message that is signed and not sent on Bitcoin", () => {
  it("is a PSBT of a network", () => {
    expect(BITCOIN_RULES.judgeContent(network, { kind: "Psbt", psbt: "0xFF" }, PUBLIC_KEY)).toEqual({
      ok: true,
      value: { kind: "psbt", network, from: SENDER, psbt: "ff" },
    });
    expect(codeOf(BITCOIN_RULES.judgeContent(undefined, { kind: "Psbt", psbt: "ff" }, undefined))).toBe(
      "InvalidBody",
    );
    expect(codeOf(BITCOIN_RULES.judgeContent(network, { kind: "Message", message: "ff" }, undefined))).toBe(
      "SignatureKindNotSupported",
    );
    expect(BITCOIN_RULES.takesForConsent(new Uint8Array(32))).toBe(false);
  });
});
