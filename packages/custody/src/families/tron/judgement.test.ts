import { hexToBytes } from "@noble/hashes/utils.js";
import { describe, expect, it } from "vitest";
import { transactionBodySchema } from "../../chain-request/transaction-body.ts";
import { judgeTransaction } from "../../chain-request/transaction-judgement.ts";
import { transferBodySchema } from "../../chain-request/transfer-body.ts";
import { judgeTransfer } from "../../chain-request/transfer-judgement.ts";
import { networkSchema, sharesTransactions } from "../../network.ts";
import { signatureBodySchema } from "../../signature/signature-body.ts";
import { judgeSignature } from "../../signature/signature-judgement.ts";
import type { FamilyTable } from "../rules.ts";
import { tronTransactionSchema, tronTransferSchema } from "./act.ts";
import { tronAddress } from "./address.ts";
import { TRON_RULES } from "./rules.ts";

const families: FamilyTable = { find: (family) => (family === "Tron" ? TRON_RULES : undefined) };
const network = networkSchema.parse("TronNile");
const SENDER = "TJRabPrwbZy45sbavfcjinPJC18kjpRTv8";
const TO = "TPL66VK2gCXNCD7EJg9pgJRfqcRazjhUZY";
const CONTRACT = "TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6t";
const LARGEST = "9223372036854775807";
const WORD = (2n ** 256n - 1n).toString();
const native = { kind: "Native", to: TO, amount: "1500000" };
const trc10 = { kind: "Trc10", tokenId: "1002000", to: TO, amount: "5" };
const trc20 = { kind: "Trc20", contract: CONTRACT, to: TO, amount: "5" };
const trc721 = { kind: "Trc721", contract: CONTRACT, to: TO, tokenId: "0" };

const judge = (body: unknown) => judgeTransfer(families, network, transferBodySchema.parse(body), SENDER);
const codeOf = (body: unknown): string => {
  const judged = judge(body);
  return judged.ok ? "ok" : `${judged.problem.code} ${String(judged.problem.details["field"])}`;
};

describe("a transfer on TRON", () => {
  it("of the native coin is of the wallet's own account", () => {
    expect(judge(native)).toEqual({
      ok: true,
      value: {
        transfer: { kind: "Native", from: SENDER, to: TO, amount: "1500000" },
        asset: { symbol: "TRX", decimals: 6, verified: true },
        token: undefined,
      },
    });
  });

  it.each([
    [trc10, "1002000"],
    [trc20, CONTRACT],
    [trc721, CONTRACT],
  ])("of a token names it, of which only the chain knows more: %j", (body, token) => {
    expect(judge(body)).toEqual({
      ok: true,
      value: { transfer: { ...body, from: SENDER }, asset: {}, token },
    });
  });

  it("is judged so that the signers' strict schema takes it, up to the largest numbers", () => {
    for (const body of [
      native,
      trc10,
      trc20,
      trc721,
      { ...native, amount: LARGEST },
      { ...trc10, amount: LARGEST, tokenId: LARGEST },
      { ...trc20, amount: WORD },
      { ...trc721, tokenId: WORD },
      { ...trc20, to: SENDER },
    ]) {
      const judged = judge(body);
      expect(judged.ok && tronTransferSchema.safeParse(judged.value.transfer).success).toBe(true);
    }
  });

  it.each([
    ["AmountInvalid amount", { ...native, amount: "0" }],
    ["AmountInvalid amount", { ...native, amount: "-1" }],
    ["AmountInvalid amount", { ...native, amount: "1.5" }],
    ["AmountInvalid amount", { ...native, amount: "01" }],
    ["AmountInvalid amount", { ...native, amount: "9223372036854775808" }],
    ["AmountInvalid amount", { ...trc10, amount: "9223372036854775808" }],
    ["AmountInvalid amount", { ...trc20, amount: "0" }],
    ["AmountInvalid amount", { ...trc20, amount: (2n ** 256n).toString() }],
    ["TokenIdInvalid tokenId", { ...trc10, tokenId: "0" }],
    ["TokenIdInvalid tokenId", { ...trc10, tokenId: "1000000" }],
    ["TokenIdInvalid tokenId", { ...trc10, tokenId: "BTT" }],
    ["TokenIdInvalid tokenId", { ...trc10, tokenId: "01002000" }],
    ["TokenIdInvalid tokenId", { ...trc721, tokenId: "-1" }],
    ["TokenIdInvalid tokenId", { ...trc721, tokenId: (2n ** 256n).toString() }],
    ["AddressInvalid to", { ...native, to: "0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed" }],
    ["AddressInvalid to", { ...native, to: TO.toLowerCase() }],
    ["AddressInvalid to", { ...trc721, to: "T9yD14Nj9j7xAB4dbGeiX9h8unkKHxuWwb" }],
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
  ])("INV-9 is refused with %s: %j", (code, body) => {
    expect(codeOf(body)).toBe(code);
  });

  it("INV-9 gets a refusal that names the form of TRC-10 ids", () => {
    const judged = judge({ ...trc10, tokenId: "1000000" });
    expect(!judged.ok && judged.problem.message).toContain("above 1000000");
  });

  it("INV-9 has no fields but its own", () => {
    for (const body of [trc10, trc20, trc721]) {
      for (const field of ["priority", "memo", "feeLimit", "data", "from"]) {
        expect(transferBodySchema.safeParse({ ...body, [field]: "x" }).success).toBe(false);
      }
    }
  });
});

it.each(["0", "1.5", "-1", "1e9", "01", " 1"])(
  "K12 the refusal of an invalid amount of TRON names its unit: %j",
  (amount) => {
    const said = (body: object): string => {
      const judged = judge(body);
      return judged.ok ? "ok" : judged.problem.message;
    };
    expect(said({ ...native, amount })).toBe(
      "The amount is not a positive integer of sun, of which 1000000 are 1 TRX, of at most 9223372036854775807.",
    );
    expect(said({ ...trc20, amount })).toContain("integer of the token's smallest unit");
  },
);

describe("a recipient on TRON", () => {
  const why = (body: object): string => {
    const judged = judge(body);
    return judged.ok ? "ok" : `${judged.problem.code}: ${String(judged.problem.details["why"])}`;
  };
  const account = (hex: string): string => tronAddress(hexToBytes(hex.padStart(40, "0")));

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
    expect(why({ ...body, to })).toContain(`RecipientUnsuitable: ${what}`);
    expect(why({ ...body, to, sendAnyway: true })).toBe("ok");
  });

  it("is never the zero address, which TRON's own black hole of tokens is", () => {
    const zero = "T9yD14Nj9j7xAB4dbGeiX9h8unkKHxuWwb";
    expect(account("")).toBe(zero);
    for (const body of [native, trc10, trc20, trc721]) {
      expect(codeOf({ ...body, to: zero })).toBe("AddressInvalid to");
      expect(codeOf({ ...body, to: zero, sendAnyway: true })).toBe("AddressInvalid to");
    }
  });

  it("may be the contract of a token that is not sent, as far as anybody knows without the chain", () => {
    expect(why({ ...native, to: CONTRACT })).toBe("ok");
    expect(why({ ...trc20, to: account("0100000000") })).toBe("ok");
  });
});

describe("a transaction of a caller's making on TRON", () => {
  const of = (body: unknown) =>
    judgeTransaction(families, network, transactionBodySchema.parse(body), SENDER);

  it("is taken as it is, for the wallet's own account", () => {
    const judged = of({ kind: "Transaction", transaction: "0xAB" });
    expect(judged).toEqual({ ok: true, value: { kind: "Exact", from: SENDER, unsigned: "ab" } });
    expect(judged.ok && tronTransactionSchema.safeParse(judged.value).success).toBe(true);
  });

  it("is of no template of another family", () => {
    const judged = of({ kind: "Evm", to: TO });
    expect(!judged.ok && judged.problem.code).toBe("TransactionKindNotSupported");
  });
});

describe("a signature of an ECDSA key for TRON", () => {
  const of = (body: unknown) => {
    const judged = judgeSignature(families, { scheme: "ECDSA", network }, signatureBodySchema.parse(body));
    return judged.ok ? judged.value : judged.problem.code;
  };

  it("of a transaction is read by signers", () => {
    expect(of({ kind: "Transaction", transaction: "0xAB" })).toMatchObject({
      content: {
        kind: "readable",
        family: "Tron",
        content: { kind: "transaction", network, transaction: "ab" },
      },
    });
  });

  it.each([
    { kind: "Message", message: "00" },
    { kind: "Eip191", message: "00" },
  ])("INV-9 is of no %j", (body) => {
    expect(of(body)).toBe("SignatureKindNotSupported");
  });

  it("INV-9 of a transaction needs its network", () => {
    const judged = judgeSignature(
      families,
      { scheme: "ECDSA", network: undefined },
      signatureBodySchema.parse({ kind: "Transaction", transaction: "ab", blockchainKind: "Tron" }),
    );
    expect(!judged.ok && judged.problem.code).toBe("InvalidBody");
  });
});

describe("what is shown of TRON", () => {
  it("names tokens by their contracts, or their ids", () => {
    expect(TRON_RULES.showToken("1002000")).toEqual({ kind: "Trc10", tokenId: "1002000" });
    expect(TRON_RULES.showToken(CONTRACT)).toEqual({ kind: "Trc20", contract: CONTRACT });
    const shown = (body: unknown) =>
      TRON_RULES.showMovement(transferBodySchema.parse(body), { symbol: "USDT", decimals: 6 });
    const moved = { value: "5", symbol: "USDT", decimals: 6 };
    expect(shown(trc10)).toEqual({ kind: "Trc10Transfer", tokenId: "1002000", ...moved });
    expect(shown(trc20)).toEqual({ kind: "Trc20Transfer", contract: CONTRACT, ...moved });
    expect(shown(trc721)).toEqual({ kind: "Trc721Transfer", contract: CONTRACT, tokenId: "0" });
    expect(TRON_RULES.showMovement(transferBodySchema.parse(native), {})).toBeUndefined();
  });

  it("INV-3 serves a key one of its networks: what is signed names none", () => {
    const main = networkSchema.parse("Tron");
    expect([sharesTransactions(main, network), TRON_RULES.spell(TO), TRON_RULES.nativeDecimals]).toEqual([
      true,
      TO,
      6,
    ]);
  });
});
