import { describe, expect, it } from "vitest";
import { transactionBodySchema } from "../../chain-request/transaction-body.ts";
import { judgeTransaction } from "../../chain-request/transaction-judgement.ts";
import { transferBodySchema } from "../../chain-request/transfer-body.ts";
import { judgeTransfer } from "../../chain-request/transfer-judgement.ts";
import { networkSchema } from "../../network.ts";
import { signatureBodySchema } from "../../signature/signature-body.ts";
import { judgeSignature } from "../../signature/signature-judgement.ts";
import type { FamilyTable } from "../rules.ts";
import { stellarTransactionSchema, stellarTransferSchema } from "./act.ts";
import { parseStellarToken } from "./asset.ts";
import { STELLAR_RULES } from "./rules.ts";

const families: FamilyTable = { find: (family) => (family === "Stellar" ? STELLAR_RULES : undefined) };
const network = networkSchema.parse("StellarTestnet");
const SENDER = "GA7QYNF7SOWQ3GLR2BGMZEHXAVIRZA4KVWLTJJFC7MGXUA74P7UJVSGZ";
const TO = "GBTL47RTFR5EKMZ5TUFH2VPQKXY4L3YGVWTNM2MPXCYPWOIMI45A5VXT";
const ISSUER = "GA5ZSEJYB37JRC5AVCIA5MOP4RHTM335X2KGX3IHOJAPP5RE34K4KZVN";
const CONTRACT = "CA3D5KRYM6CB7OWQ6TWYRR3Z4T7GNZLKERYNZGGA5SOAOPIFY6YQGAXE";
const LARGEST = "9223372036854775807";
const native = { kind: "Native", to: ISSUER, amount: "15000000" };
const sep41 = { kind: "Sep41", issuer: ISSUER, assetCode: "USDC", to: SENDER, amount: "5" };

const judge = (body: unknown) => judgeTransfer(families, network, transferBodySchema.parse(body), SENDER);
const codeOf = (body: unknown): string => {
  const judged = judge(body);
  return judged.ok ? "ok" : `${judged.problem.code} ${String(judged.problem.details["field"])}`;
};

describe("a transfer on Stellar", () => {
  it("of the native coin is of the wallet's own account", () => {
    expect(judge({ ...native, memo: "42" })).toEqual({
      ok: true,
      value: {
        transfer: {
          kind: "Native",
          from: SENDER,
          to: ISSUER,
          amount: "15000000",
          memo: { kind: "id", id: "42" },
        },
        asset: { symbol: "XLM", decimals: 7, verified: true },
        token: undefined,
      },
    });
  });

  it("of an asset names it by code and issuer", () => {
    expect(judge(sep41)).toEqual({
      ok: true,
      value: {
        transfer: {
          kind: "Sep41",
          assetCode: "USDC",
          issuer: ISSUER,
          from: SENDER,
          to: SENDER,
          amount: "5",
        },
        asset: {},
        token: `USDC:${ISSUER}`,
      },
    });
  });

  it("is judged so that the signers' strict schema takes it, up to the largest amount", () => {
    for (const body of [
      native,
      sep41,
      { ...native, amount: LARGEST, memo: "ab".repeat(32) },
      { ...sep41, amount: LARGEST, assetCode: "ABCDEFGHIJKL", memo: "Rent" },
      { ...native, to: CONTRACT },
      { ...sep41, to: CONTRACT },
      { ...sep41, to: CONTRACT, memo: "" },
    ]) {
      const judged = judge(body);
      expect(judged.ok && stellarTransferSchema.safeParse(judged.value.transfer).success).toBe(true);
    }
  });

  it.each([
    ["AmountInvalid amount", { ...native, amount: "0" }],
    ["AmountInvalid amount", { ...native, amount: "-1" }],
    ["AmountInvalid amount", { ...native, amount: "1.5" }],
    ["AmountInvalid amount", { ...native, amount: "9223372036854775808" }],
    ["AmountInvalid amount", { ...sep41, amount: "01" }],
    ["AmountInvalid amount", { ...sep41, amount: "9223372036854775808" }],
    ["TokenIdInvalid assetCode", { ...sep41, assetCode: "ABCDEFGHIJKLM" }],
    ["TokenIdInvalid assetCode", { ...sep41, assetCode: "US-D" }],
    ["TokenIdInvalid assetCode", { ...sep41, assetCode: "ÄÖ" }],
    ["AddressInvalid issuer", { ...sep41, issuer: CONTRACT }],
    ["AddressChecksum issuer", { ...sep41, issuer: ISSUER.replace("GA5Z", "GA5Y") }],
    ["AddressInvalid to", { ...native, to: "0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed" }],
    ["AddressInvalid to", { ...native, to: ISSUER.toLowerCase() }],
    ["MemoInvalid memo", { ...native, to: CONTRACT, memo: "1" }],
    ["AddressChecksum to", { ...native, to: TO }],
    ["AddressChecksum to", { ...sep41, to: TO }],
    ["MemoInvalid memo", { ...native, memo: "a".repeat(29) }],
    ["MemoInvalid memo", { ...sep41, memo: "a".repeat(63) }],
    ["MemoInvalid memo", { ...sep41, to: CONTRACT, memo: "1" }],
    ["PriorityNotSupported priority", { ...native, priority: "Fast" }],
    ["TransferKindNotSupported kind", { kind: "Erc20", contract: TO, to: TO, amount: "1" }],
    ["TransferKindNotSupported kind", { kind: "Asa", assetId: "1", to: TO, amount: "1" }],
  ])("INV-9 is refused with %s: %j", (code, body) => {
    expect(codeOf(body)).toBe(code);
  });

  it("INV-9 has no fields but its own, and no memo of other characters", () => {
    for (const field of ["priority", "note", "from"]) {
      expect(transferBodySchema.safeParse({ ...sep41, [field]: "x" }).success).toBe(false);
    }
    for (const memo of ["with space", "ä", "a".repeat(65)]) {
      expect(transferBodySchema.safeParse({ ...sep41, memo }).success).toBe(false);
    }
  });
});

describe("an asset of Stellar", () => {
  it("is spelt by its code and its issuer, and is shown by both", () => {
    const token = `USDC:${ISSUER}`;
    expect(parseStellarToken(token)).toEqual({ code: "USDC", issuer: ISSUER });
    expect(STELLAR_RULES.showToken(token)).toEqual({ kind: "Sep41", assetCode: "USDC", issuer: ISSUER });
    expect(STELLAR_RULES.spell(token)).toBe(token);
    for (const text of ["", "USDC", "USDC:", `:${ISSUER}`, `${token}:x`, `USDC:${CONTRACT}`, "U$:x"]) {
      expect(parseStellarToken(text)).toBeUndefined();
    }
    expect(() => STELLAR_RULES.showToken("USDC")).toThrow(TypeError);
  });

  it("is shown in histories as it was sent", () => {
    expect(STELLAR_RULES.showMovement(transferBodySchema.parse(sep41), {})).toEqual({
      kind: "Sep41Transfer",
      assetCode: "USDC",
      issuer: ISSUER,
      value: "5",
      symbol: "USDC",
      decimals: 7,
    });
    expect(STELLAR_RULES.showMovement(transferBodySchema.parse(native), {})).toBeUndefined();
  });
});

describe("a transaction of a caller's making on Stellar", () => {
  const of = (body: unknown) =>
    judgeTransaction(families, network, transactionBodySchema.parse(body), SENDER);

  it("is taken as it is, for the wallet's own account", () => {
    const judged = of({ kind: "Transaction", transaction: "0xAB" });
    expect(judged).toEqual({ ok: true, value: { kind: "Exact", from: SENDER, unsigned: "ab" } });
    expect(judged.ok && stellarTransactionSchema.safeParse(judged.value).success).toBe(true);
  });

  it("is of no template of another family", () => {
    const judged = of({ kind: "Evm", to: TO });
    expect(!judged.ok && judged.problem.code).toBe("TransactionKindNotSupported");
  });
});

describe("a signature of an Ed25519 key for Stellar", () => {
  const of = (body: unknown, on: typeof network | undefined = network) => {
    const judged = judgeSignature(
      families,
      { scheme: "FROST-Ed25519", network: on },
      signatureBodySchema.parse(body),
    );
    return judged.ok ? judged.value : judged.problem.code;
  };
  const transaction = { kind: "Transaction", transaction: "0xAB" };

  it("of a transaction is read by signers, and not signed as a message", () => {
    expect(of(transaction)).toEqual({
      scheme: "FROST-Ed25519",
      content: {
        kind: "readable",
        family: "Stellar",
        content: { kind: "transaction", network, transaction: "ab" },
      },
    });
  });

  it.each([
    ["SignatureKindNotSupported", transaction, networkSchema.parse("Solana")],
    ["SignatureKindNotSupported", { kind: "Eip191", message: "00" }, network],
  ])("INV-9 is refused with %s: %j", (code, body, on) => {
    expect(of(body, on)).toBe(code);
  });

  it("INV-9 of a transaction needs its network", () => {
    expect(
      judgeSignature(
        families,
        { scheme: "FROST-Ed25519", network: undefined },
        signatureBodySchema.parse({ ...transaction, blockchainKind: "Stellar" }),
      ),
    ).toMatchObject({ ok: false, problem: { code: "InvalidBody" } });
  });
});
