import { encodeAbiParameters, type Hex, parseAbiParameters } from "viem";
import { describe, expect, it } from "vitest";
import { readCallRefusal } from "./node-words.ts";

const text = (reason: string): Hex =>
  `0x08c379a0${encodeAbiParameters(parseAbiParameters("string"), [reason]).slice(2)}`;
const panic = (code: bigint): Hex =>
  `0x4e487b71${encodeAbiParameters(parseAbiParameters("uint256"), [code]).slice(2)}`;
const HASH = `0x${"ab".repeat(32)}`;
const read = (code: number, message: string, data?: unknown) => readCallRefusal({ code, message, data });

describe("a revert", () => {
  it.each<[string, number, string, unknown, string]>([
    ["geth", 3, "execution reverted: paused", text("paused"), "paused"],
    ["geth, without words", 3, "execution reverted", text("paused"), "paused"],
    ["geth, without a reason", -32_000, "execution reverted", undefined, "the contract gives no reason"],
    ["geth, without a reason", 3, "execution reverted", "0x", "the contract gives no reason"],
    [
      "geth, a panic",
      3,
      "execution reverted: arithmetic underflow or overflow",
      panic(17n),
      "panic 17 (an arithmetic operation overflowed)",
    ],
    ["geth, a custom error", 3, "execution reverted", "0xe450d38c", "the error with selector 0xe450d38c"],
    ["anvil", 3, "execution reverted: paused", text("paused"), "paused"],
    ["besu", -32_000, "Execution reverted: paused", text("paused"), "paused"],
    ["nethermind", -32_015, "VM execution error.", `Reverted ${text("paused")}`, "paused"],
    ["erigon", 3, "execution reverted: paused", text("paused"), "paused"],
    [
      "Hardhat",
      -32_603,
      "Error: Transaction reverted without a reason string",
      { message: "Error: Transaction reverted without a reason string", data: "0x" },
      "the contract gives no reason",
    ],
    [
      "Hardhat",
      -32_603,
      "Error: VM Exception while processing transaction: reverted with reason string 'paused'",
      { message: "…", txHash: HASH, data: text("paused") },
      "paused",
    ],
    [
      "Hardhat, whose words alone tell",
      -32_603,
      "Error: VM Exception while processing transaction: reverted with custom error 'NotOwner(7)'",
      undefined,
      "NotOwner(7)",
    ],
    [
      "Hardhat, a panic",
      -32_603,
      "Error: VM Exception while processing transaction: reverted with panic code 0x11 (Arithmetic operation overflowed)",
      { data: panic(17n) },
      "panic 17 (an arithmetic operation overflowed)",
    ],
    [
      "Ganache 7",
      -32_000,
      "VM Exception while processing transaction: revert paused",
      text("paused"),
      "paused",
    ],
    [
      "Ganache 7",
      -32_000,
      "VM Exception while processing transaction: revert",
      { hash: HASH, programCounter: 7, result: text("paused"), reason: "paused", message: "revert" },
      "paused",
    ],
    [
      "Ganache 6",
      -32_000,
      "VM Exception while processing transaction: revert",
      {
        [HASH]: { error: "revert", program_counter: 7, return: text("paused"), reason: "paused" },
        stack: "…",
      },
      "paused",
    ],
    [
      "Frontier",
      -32_603,
      "VM Exception while processing transaction: revert paused",
      text("paused"),
      "paused",
    ],
    [
      "Frontier, without data",
      -32_603,
      "VM Exception while processing transaction: revert",
      undefined,
      "the contract gives no reason",
    ],
  ])("in the words of %s is one, with its reason", (_node, code, message, data, reason) => {
    expect(read(code, message, data)).toEqual({ kind: "reverted", reason });
  });

  it("has a reason of plain, bounded text, whatever the contract says", () => {
    const long = read(3, "execution reverted", text(`a\nb\u0007 ${"x".repeat(1_000)}`));
    expect(long).toMatchObject({ kind: "reverted", reason: expect.stringMatching(/^a b x{196}$/) });
    const cut = `${text("paused").slice(0, 80)}` as const;
    expect(read(3, "execution reverted", cut)).toEqual({
      kind: "reverted",
      reason: "the contract gives no reason",
    });
  });
});

describe("another answer of a node to a call", () => {
  it.each<[string, string, string]>([
    ["geth", "insufficient funds for gas * price + value: address 0x11 have 1 want 2", "funds"],
    ["geth", "insufficient funds for transfer", "funds"],
    ["geth", "failed with 50000 gas: insufficient funds for gas * price + value", "funds"],
    ["besu", "Upfront cost exceeds account balance", "funds"],
    ["nethermind", "insufficient sender balance", "funds"],
    [
      "hardhat",
      "Sender doesn't have enough funds to send tx. The max upfront cost is: 2 and the sender's balance is: 1.",
      "funds",
    ],
    [
      "ganache",
      "sender doesn't have enough funds to send tx. The upfront cost is: 2 and the sender's account (0x11) only has: 1",
      "funds",
    ],
    ["reth", "insufficient funds for gas * price + value: have 1 want 2", "funds"],
    ["anvil", "Insufficient funds for gas * price + value", "funds"],
    ["revm", "lack of funds (1) for max fee (2)", "funds"],
    ["geth", "intrinsic gas too low: have 20999, want 21000", "gas"],
    ["geth", "gas required exceeds allowance (16777216)", "gas"],
    ["geth of old", "gas required exceeds allowance (30000000) or always failing transaction", "gas"],
    ["geth", "out of gas", "gas"],
    ["anvil", "EVM error OutOfGas", "gas"],
    ["anvil", "intrinsic gas too high -- CallGasCostMoreThanGasLimit", "gas"],
    ["hardhat", "Transaction requires at least 21000 gas but got 20999", "gas"],
    ["ganache", "VM Exception while processing transaction: out of gas", "gas"],
    ["geth", "max fee per gas less than block base fee: address 0x11, maxFeePerGas: 1, baseFee: 7", "price"],
    ["geth", "invalid opcode: INVALID", "halted"],
    ["ganache", "VM Exception while processing transaction: invalid opcode", "halted"],
    ["besu", "Transaction processing could not be completed due to an exception", "halted"],
  ])("is understood: %s, %s", (_node, message, kind) => {
    expect(read(-32_000, message)).toMatchObject({ kind });
  });

  it.each([
    "internal error",
    "rate limit exceeded",
    "missing trie node",
    "header not found",
    "EVM error: Database(BackendError)",
  ])("is nothing of the call: %s", (message) => {
    expect(read(-32_603, message)).toBeUndefined();
  });
});
