import {
  type FamilyTable,
  judgeTransaction,
  networkSchema,
  transactionBodySchema,
  transactionRequestBodySchema,
} from "@conclave/custody";
import { describe, expect, it } from "vitest";
import { EVM_RULES } from "./rules.ts";

const families: FamilyTable = { find: (family) => (family === "Evm" ? EVM_RULES : undefined) };
const ADDRESS = "0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed";
const evm = { kind: "Evm", to: ADDRESS };
const sepolia = networkSchema.parse("EthereumSepolia");

const judge = (body: unknown, network = sepolia) =>
  judgeTransaction(families, network, transactionBodySchema.parse(body), ADDRESS);
const codeOf = (body: unknown, network = sepolia) => {
  const judged = judge(body, network);
  return judged.ok ? "ok" : `${judged.problem.code} ${judged.problem.details["field"] ?? ""}`.trim();
};

describe("a transaction to broadcast", () => {
  it.each([
    [
      { ...evm, value: "10" },
      { to: ADDRESS.toLowerCase(), value: "10", data: "" },
    ],
    [
      { ...evm, value: "0x0A", data: "0xABcd" },
      { to: ADDRESS.toLowerCase(), value: "10", data: "abcd" },
    ],
    [
      { ...evm, nonce: 0 },
      { to: ADDRESS.toLowerCase(), value: "0", data: "", nonce: 0 },
    ],
    [
      { ...evm, nonce: "0x10" },
      { to: ADDRESS.toLowerCase(), value: "0", data: "", nonce: 16 },
    ],
    [
      { ...evm, nonce: "7", gasLimit: "0x5208" },
      { to: ADDRESS.toLowerCase(), value: "0", data: "", nonce: 7, gasLimit: "21000" },
    ],
    [
      { kind: "Evm", data: "0x60", to: "" },
      { value: "0", data: "60" },
    ],
    [
      { kind: "Evm", data: "60", value: "0" },
      { value: "0", data: "60" },
    ],
    [
      { ...evm, kind: "Eip1559", maxFeePerGas: "2" },
      { to: ADDRESS.toLowerCase(), value: "0", data: "", fees: { kind: "Eip1559", maxFeePerGas: "2" } },
    ],
    [
      { ...evm, kind: "EvmLegacy", gasPrice: "0x2" },
      { to: ADDRESS.toLowerCase(), value: "0", data: "", fees: { kind: "Legacy", gasPrice: "2" } },
    ],
  ])("%j is authorised as what it says, spelled in one way", (body, wanted) => {
    expect(judge(body)).toEqual({ ok: true, value: { kind: "Call", ...wanted } });
  });

  it("of the Transaction template is authorised byte for byte", () => {
    expect(judge({ kind: "Transaction", transaction: "0x02AB" })).toEqual({
      ok: true,
      value: { kind: "Exact", unsigned: "02ab" },
    });
  });

  it.each([
    ["AddressInvalid to", { ...evm, to: "0x1" }],
    ["AddressChecksum to", { ...evm, to: ADDRESS.replace("5aA", "5AA") }],
    ["TransactionInvalid to", { kind: "Evm" }],
    ["TransactionInvalid to", { kind: "Evm", value: "1" }],
    ["TransactionInvalid to", { kind: "Evm", to: "", data: "0x" }],
    ["TransactionInvalid value", { kind: "Evm", data: "0x60", value: "1" }],
    ["TransactionInvalid data", { kind: "Evm", data: `0x${"00".repeat(49_153)}` }],
    ["TransactionInvalid value", { ...evm, value: (2n ** 256n).toString() }],
    ["TransactionInvalid nonce", { ...evm, nonce: (2n ** 53n).toString() }],
    ["TransactionInvalid maxFeePerGas", { ...evm, kind: "Eip1559", maxFeePerGas: (2n ** 256n).toString() }],
    [
      "FeesContradictory maxPriorityFeePerGas",
      { ...evm, kind: "Eip1559", maxFeePerGas: "1", maxPriorityFeePerGas: "2" },
    ],
    ["ok", { ...evm, kind: "Eip1559", maxFeePerGas: "2", maxPriorityFeePerGas: "2" }],
    ["ok", { kind: "Evm", data: `0x${"00".repeat(49_152)}` }],
  ])("is answered %s for %j", (code, body) => {
    expect(codeOf(body)).toBe(code);
  });

  it("is refused on networks of other families", () => {
    expect(codeOf(evm, networkSchema.parse("Stellar"))).toBe("TransactionKindNotSupported kind");
  });

  it.each([
    { ...evm, colour: "red" },
    { ...evm, maxFeePerGas: "1" },
    { ...evm, nonce: -1 },
    { ...evm, nonce: 1.5 },
    { ...evm, value: 1 },
    { ...evm, value: "1.5" },
    { ...evm, value: "-1" },
    { ...evm, data: "0x0" },
    { ...evm, data: "0xzz" },
    { ...evm, data: `0x${"00".repeat(57_345)}` },
    { ...evm, externalId: "" },
    { ...evm, kind: "Eip1559", gasPrice: "1" },
    { kind: "Transaction" },
    { kind: "Transaction", transaction: {} },
    { kind: "SpeedUpTransaction", txHash: "0x", signedTx: "0x" },
    { kind: "CancelTransaction", txHash: "0x", signedTx: "0x" },
    { kind: "SignDocDirect", signDoc: "00" },
  ])("%# is no body", (body) => {
    expect(transactionBodySchema.safeParse(body).success).toBe(false);
  });

  it("shows what it replaces, which no client can send", () => {
    const body = { kind: "CancelTransaction", txHash: "0x01", signedTx: "0x02" };
    expect(transactionRequestBodySchema.parse(body)).toEqual(body);
  });
});
