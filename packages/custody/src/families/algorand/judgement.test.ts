import { describe, expect, it } from "vitest";
import { transactionBodySchema } from "../../chain-request/transaction-body.ts";
import { judgeTransaction } from "../../chain-request/transaction-judgement.ts";
import { transferBodySchema } from "../../chain-request/transfer-body.ts";
import { judgeTransfer } from "../../chain-request/transfer-judgement.ts";
import { networkSchema } from "../../network.ts";
import { signatureBodySchema } from "../../signature/signature-body.ts";
import { judgeSignature } from "../../signature/signature-judgement.ts";
import type { FamilyTable } from "../rules.ts";
import { algorandTransactionSchema, algorandTransferSchema } from "./act.ts";
import { ALGORAND_RULES } from "./rules.ts";

const families: FamilyTable = { find: (family) => (family === "Algorand" ? ALGORAND_RULES : undefined) };
const network = networkSchema.parse("AlgorandTestnet");
const SENDER = "BH55E5RMBD4GYWXGX5W5PJ5JAHPGM5OXKDQH5DC4O2MGI7NW4H6VOE4CP4";
const TO = "PNWOET7LLOWMBMLE4KOCELCX6X3D3Q4H2Q4QJASYIEOF7YIPPQBG3YQ5YI";
const LARGEST = "18446744073709551615";
const native = { kind: "Native", to: TO, amount: "1500000" };
const asa = { kind: "Asa", assetId: "10458941", to: TO, amount: "5" };

const judge = (body: unknown) => judgeTransfer(families, network, transferBodySchema.parse(body), SENDER);
const codeOf = (body: unknown): string => {
  const judged = judge(body);
  return judged.ok ? "ok" : `${judged.problem.code} ${String(judged.problem.details["field"])}`;
};

describe("a transfer on Algorand", () => {
  it("of the native coin is of the wallet's own account", () => {
    expect(judge(native)).toEqual({
      ok: true,
      value: {
        transfer: { kind: "Native", from: SENDER, to: TO, amount: "1500000" },
        asset: { symbol: "ALGO", decimals: 6, verified: true },
        token: undefined,
      },
    });
  });

  it("of an asset names it by its id, of which only the chain knows more", () => {
    expect(judge(asa)).toEqual({
      ok: true,
      value: {
        transfer: { kind: "Asa", assetId: "10458941", from: SENDER, to: TO, amount: "5" },
        asset: {},
        token: "10458941",
      },
    });
  });

  it("is judged so that the signers' strict schema takes it, up to the largest number of 64 bits", () => {
    for (const body of [native, asa, { ...native, amount: LARGEST }, { ...asa, assetId: LARGEST }]) {
      const judged = judge(body);
      expect(judged.ok && algorandTransferSchema.safeParse(judged.value.transfer).success).toBe(true);
    }
  });

  it.each([
    ["AmountInvalid amount", { ...native, amount: "0" }],
    ["AmountInvalid amount", { ...native, amount: "-1" }],
    ["AmountInvalid amount", { ...native, amount: "1.5" }],
    ["AmountInvalid amount", { ...native, amount: "01" }],
    ["AmountInvalid amount", { ...native, amount: "18446744073709551616" }],
    ["AmountInvalid amount", { ...asa, amount: "0" }],
    ["AmountInvalid amount", { ...asa, amount: "18446744073709551616" }],
    ["TokenIdInvalid assetId", { ...asa, assetId: "0" }],
    ["TokenIdInvalid assetId", { ...asa, assetId: "0x5" }],
    ["TokenIdInvalid assetId", { ...asa, assetId: "007" }],
    ["TokenIdInvalid assetId", { ...asa, assetId: "18446744073709551616" }],
    ["AddressInvalid to", { ...native, to: "0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed" }],
    ["AddressInvalid to", { ...native, to: TO.toLowerCase() }],
    ["AddressChecksum to", { ...native, to: `A${TO.slice(1)}` }],
    ["AddressChecksum to", { ...asa, to: `A${TO.slice(1)}` }],
    ["AddressInvalid to", { ...native, to: "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAY5HFKQ" }],
    ["PriorityNotSupported priority", { ...native, priority: "Fast" }],
    ["MemoNotSupported memo", { ...native, memo: "1" }],
    ["TransferKindNotSupported kind", { kind: "Erc20", contract: TO, to: TO, amount: "1" }],
    ["TransferKindNotSupported kind", { kind: "Trc10", tokenId: "1", to: TO, amount: "1" }],
  ])("INV-9 is refused with %s: %j", (code, body) => {
    expect(codeOf(body)).toBe(code);
  });

  it("INV-9 has no fields but its own", () => {
    for (const field of ["priority", "memo", "closeRemainderTo", "note", "from"]) {
      expect(transferBodySchema.safeParse({ ...asa, [field]: "x" }).success).toBe(false);
    }
  });
});

describe("a transaction of a caller's making on Algorand", () => {
  const of = (body: unknown) =>
    judgeTransaction(families, network, transactionBodySchema.parse(body), SENDER);

  it("is taken as it is, for the wallet's own account", () => {
    const judged = of({ kind: "Transaction", transaction: "0xAB" });
    expect(judged).toEqual({ ok: true, value: { kind: "Exact", from: SENDER, unsigned: "ab" } });
    expect(judged.ok && algorandTransactionSchema.safeParse(judged.value).success).toBe(true);
  });

  it("is of no template of another family", () => {
    const judged = of({ kind: "Evm", to: TO });
    expect(!judged.ok && judged.problem.code).toBe("TransactionKindNotSupported");
  });
});

describe("a signature of an Ed25519 key for Algorand", () => {
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
        family: "Algorand",
        content: { kind: "transaction", network, transaction: "ab" },
      },
    });
  });

  it("of a message or a hash is of those very bytes", () => {
    expect(of({ kind: "Message", message: "0xAB" })).toEqual({ scheme: "FROST-Ed25519", message: "ab" });
    expect(of({ kind: "Hash", hash: "5A".repeat(32) })).toMatchObject({ message: "5a".repeat(32) });
  });

  it.each([
    ["SignatureKindNotSupported", transaction, networkSchema.parse("Solana")],
    ["SignatureKindNotSupported", { kind: "Eip191", message: "00" }, network],
  ])("INV-9 is refused with %s: %j", (code, body, on) => {
    expect(of(body, on)).toBe(code);
  });

  it("INV-9 of a transaction needs its network", () => {
    const judged = judgeSignature(
      families,
      { scheme: "FROST-Ed25519", network: undefined },
      signatureBodySchema.parse({ ...transaction, blockchainKind: "Algorand" }),
    );
    expect(!judged.ok && judged.problem.code).toBe("InvalidBody");
  });
});

describe("what is shown of Algorand", () => {
  it("names assets by their ids", () => {
    expect(ALGORAND_RULES.showToken("7")).toEqual({ kind: "Asa", assetId: "7" });
    expect(
      ALGORAND_RULES.showMovement(transferBodySchema.parse(asa), { symbol: "USDC", decimals: 6 }),
    ).toEqual({
      kind: "AsaTransfer",
      assetId: "10458941",
      value: "5",
      symbol: "USDC",
      decimals: 6,
    });
    expect(ALGORAND_RULES.showMovement(transferBodySchema.parse(native), {})).toBeUndefined();
  });
});
