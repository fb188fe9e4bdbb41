import type { TypedData } from "@conclave/custody";
import fc from "fast-check";
import type { Hex } from "viem";
import { encodeFunctionData, parseAbi, serializeTransaction } from "viem/utils";
import { describe, expect, it } from "vitest";
import { CONTRACT, RECIPIENT, SEPOLIA } from "../testing/samples.ts";
import { effectsOf } from "./effects.ts";

const LARGEST = 2n ** 256n - 1n;
const WALLET = "0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266";
const WORD = `0x${"11".repeat(32)}` as const;
const ABI = parseAbi([
  "function transfer(address to, uint256 amount)",
  "function transferFrom(address from, address to, uint256 amount)",
  "function approve(address spender, uint256 amount)",
  "function increaseAllowance(address spender, uint256 added)",
  "function decreaseAllowance(address spender, uint256 removed)",
  "function permit(address owner, address spender, uint256 value, uint256 deadline, uint8 v, bytes32 r, bytes32 s)",
  "function setApprovalForAll(address operator, bool approved)",
  "function multicall(bytes[] calls)",
]);
const SAFE = parseAbi(["function safeTransferFrom(address from, address to, uint256 tokenId)"]);
const SAFE_WITH_DATA = parseAbi([
  "function safeTransferFrom(address from, address to, uint256 tokenId, bytes data)",
]);
const SAFE_1155 = parseAbi([
  "function safeTransferFrom(address from, address to, uint256 id, uint256 amount, bytes data)",
]);

const transfer = encodeFunctionData({ abi: ABI, functionName: "transfer", args: [RECIPIENT, 5n] });
const call = (data: Hex, value = "0", to: string | undefined = CONTRACT) =>
  effectsOf(SEPOLIA.chainId, { kind: "Call", to, value, data: data.slice(2) });
const token = (amount: string | undefined) => ({ asset: CONTRACT, amount, recipient: RECIPIENT });
const native = (amount: string, recipient: string) => ({ asset: "Native", amount, recipient });
const UNREADABLE = "the call data cannot be read";

describe("the effects of a transfer", () => {
  it.each([
    ["of ether", { kind: "Native", to: RECIPIENT, amount: "7" } as const, native("7", RECIPIENT)],
    ["of a token", { kind: "Erc20", contract: CONTRACT, to: RECIPIENT, amount: "7" } as const, token("7")],
    [
      "of a collectible",
      { kind: "Erc721", contract: CONTRACT, from: WALLET, to: RECIPIENT, tokenId: "7" } as const,
      token(undefined),
    ],
  ])("%s are what it moves", (_, content, movement) => {
    expect(effectsOf(SEPOLIA.chainId, content)).toEqual({ movements: [movement], unknown: undefined });
  });
});

describe("the effects of a call", () => {
  it.each<[string, Hex, string | undefined]>([
    ["transfer", transfer, "5"],
    [
      "transferFrom",
      encodeFunctionData({ abi: ABI, functionName: "transferFrom", args: [WALLET, RECIPIENT, 5n] }),
      "5",
    ],
    [
      "approve",
      encodeFunctionData({ abi: ABI, functionName: "approve", args: [RECIPIENT, LARGEST] }),
      LARGEST.toString(),
    ],
    [
      "increaseAllowance",
      encodeFunctionData({ abi: ABI, functionName: "increaseAllowance", args: [RECIPIENT, 5n] }),
      "5",
    ],
    [
      "decreaseAllowance",
      encodeFunctionData({ abi: ABI, functionName: "decreaseAllowance", args: [RECIPIENT, 5n] }),
      "0",
    ],
    [
      "permit",
      encodeFunctionData({
        abi: ABI,
        functionName: "permit",
        args: [WALLET, RECIPIENT, 5n, 9n, 27, WORD, WORD],
      }),
      "5",
    ],
    ["safeTransferFrom", encodeFunctionData({ abi: SAFE, args: [WALLET, RECIPIENT, 5n] }), undefined],
    [
      "safeTransferFrom with data",
      encodeFunctionData({ abi: SAFE_WITH_DATA, args: [WALLET, RECIPIENT, 5n, "0xab"] }),
      undefined,
    ],
    [
      "safeTransferFrom of EIP-1155",
      encodeFunctionData({ abi: SAFE_1155, args: [WALLET, RECIPIENT, 5n, 6n, "0x"] }),
      undefined,
    ],
    [
      "setApprovalForAll",
      encodeFunctionData({ abi: ABI, functionName: "setApprovalForAll", args: [RECIPIENT, true] }),
      undefined,
    ],
    [
      "setApprovalForAll, taken back",
      encodeFunctionData({ abi: ABI, functionName: "setApprovalForAll", args: [RECIPIENT, false] }),
      "0",
    ],
  ])("%s are the token's", (_, data, amount) => {
    expect(call(data)).toEqual({ movements: [token(amount)], unknown: undefined });
  });

  it("are the token's and the payment's if the call also pays ether", () => {
    expect(call(transfer, "3").movements).toEqual([native("3", CONTRACT), token("5")]);
  });

  it("are a payment if there is no call data, even of zero", () => {
    expect(call("0x", "0", RECIPIENT)).toEqual({ movements: [native("0", RECIPIENT)], unknown: undefined });
  });

  it.each<[string, Hex]>([
    ["of several calls", encodeFunctionData({ abi: ABI, functionName: "multicall", args: [[transfer]] })],
    ["that nobody knows", "0xdeadbeef"],
    ["with a byte behind the arguments", `${transfer}00`],
    ["with a word behind the arguments", `${transfer}${"00".repeat(32)}`],
    ["with a byte too few", `0x${transfer.slice(2, -2)}`],
    ["with more than an address in the place of one", `0xa9059cbb01${transfer.slice(12)}`],
    ["of two bytes", "0xa905"],
  ])("%s is unknown, apart from the payment", (_, data) => {
    expect(call(data, "3")).toEqual({ movements: [native("3", CONTRACT)], unknown: UNREADABLE });
    expect(call(data)).toEqual({ movements: [], unknown: UNREADABLE });
  });

  it("that deploys a contract has unknown effects", () => {
    expect(effectsOf(SEPOLIA.chainId, { kind: "Call", value: "0", data: "60" }).unknown).toMatch(/deploys/);
  });

  it("are found for any bytes, or unknown", () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 200 }), (bytes) => {
        const effects = call(`0x${Buffer.from(bytes).toString("hex")}`);
        expect(effects.unknown !== undefined || effects.movements.length > 0).toBe(true);
      }),
    );
  });
});

describe("the effects of a whole transaction", () => {
  const fees = { gas: 1n, maxFeePerGas: 1n, maxPriorityFeePerGas: 1n };
  const unsigned = (chainId: number, to: Hex | undefined = CONTRACT) =>
    serializeTransaction({
      type: "eip1559",
      chainId,
      nonce: 0,
      ...(to === undefined ? {} : { to }),
      data: transfer,
      ...fees,
    }).slice(2);
  const legacy = serializeTransaction({
    type: "legacy",
    chainId: SEPOLIA.chainId,
    nonce: 0,
    to: RECIPIENT,
    value: 9n,
    gas: 1n,
    gasPrice: 1n,
  }).slice(2);

  it("are those of the call that hides in it, to broadcast or to sign", () => {
    const contents = [
      { kind: "Exact", unsigned: unsigned(SEPOLIA.chainId) } as const,
      { kind: "transaction", network: SEPOLIA.network, transaction: unsigned(SEPOLIA.chainId) } as const,
    ];
    for (const content of contents) {
      expect(effectsOf(SEPOLIA.chainId, content)).toEqual({ movements: [token("5")], unknown: undefined });
    }
    expect(effectsOf(SEPOLIA.chainId, { kind: "Exact", unsigned: legacy }).movements).toEqual([
      native("9", RECIPIENT),
    ]);
  });

  it.each([
    ["for another chain", unsigned(1)],
    ["that is no transaction", "ab"],
    ["of a type that hands the account over", `04${unsigned(SEPOLIA.chainId).slice(2)}`],
  ])("%s is unknown", (_, bytes) => {
    const effects = effectsOf(SEPOLIA.chainId, { kind: "Exact", unsigned: bytes });
    expect([effects.movements, typeof effects.unknown]).toEqual([[], "string"]);
  });
});

describe("the effects of a signature", () => {
  const field = (name: string, type: string) => ({ name, type });
  const permit: TypedData = {
    primaryType: "Permit",
    types: {
      Permit: [
        field("owner", "address"),
        field("spender", "address"),
        field("value", "uint256"),
        field("nonce", "uint256"),
        field("deadline", "uint256"),
      ],
    },
    domain: { name: "Token", chainId: SEPOLIA.chainId, verifyingContract: CONTRACT },
    message: { owner: WALLET, spender: RECIPIENT, value: "0x05", nonce: 0, deadline: 9 },
  };
  const typed = (change: Partial<TypedData>, chainId: number | undefined = SEPOLIA.chainId) =>
    effectsOf(chainId, { kind: "eip712", typedData: { ...permit, ...change } });

  it("of a permit are what its spender may take", () => {
    expect(typed({})).toEqual({ movements: [token("5")], unknown: undefined });
  });

  it.each<[string, Partial<TypedData>]>([
    ["for another chain", { domain: { ...permit.domain, chainId: 1 } }],
    ["for no chain", { domain: { verifyingContract: CONTRACT } }],
    ["for no contract", { domain: { chainId: SEPOLIA.chainId } }],
    ["with other fields", { types: { Permit: [field("holder", "address"), field("spender", "address")] } }],
    ["by another name", { primaryType: "Order", types: { Order: permit.types["Permit"] ?? [] } }],
    ["of a value that is none", { message: { ...permit.message, value: "-1" } }],
  ])("%s is unknown", (_, change) => {
    expect([typed(change).movements, typeof typed(change).unknown]).toEqual([[], "string"]);
  });

  it("of a hash or a message are unknown", () => {
    const contents = [
      { kind: "hash", hash: "00".repeat(32) },
      { kind: "message", message: "00" },
    ] as const;
    expect(contents.map((content) => effectsOf(SEPOLIA.chainId, content).movements)).toEqual([[], []]);
    expect(contents.map((content) => typeof effectsOf(SEPOLIA.chainId, content).unknown)).toEqual([
      "string",
      "string",
    ]);
  });
});
