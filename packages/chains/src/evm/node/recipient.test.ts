import type { Hex } from "viem";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import {
  type Anvil,
  CODE,
  CONTRACT,
  contractOf,
  ERC20,
  NATIVE,
  openStubEvm,
  RECIPIENT,
  SEPOLIA,
  startAnvil,
  TEST_ADDRESS,
} from "../../testing/index.ts";
import type { EvmTransfer } from "../rules/act.ts";
import { evmNode } from "./node.ts";

const ONE: EvmTransfer = {
  kind: "Erc721",
  contract: CONTRACT,
  from: TEST_ADDRESS.toLowerCase(),
  to: RECIPIENT,
  tokenId: "7",
};
const TOKEN = contractOf({
  "totalSupply()": CODE.answers(10n ** 24n),
  "decimals()": CODE.answers(18n),
});

/** Code that supports ERC-165 and this interface, given in hex: PUSH, CALLDATALOAD, SHR, EQ, OR, MSTORE, RETURN. */
const speaksOf = (id: string) => `60043560e01c8063${id}14906301ffc9a714175f5260205ff3`;
const COLLECTION = contractOf({
  "supportsInterface(bytes4)": speaksOf("80ac58cd"),
  "totalSupply()": CODE.answers(7n),
});

let anvil: Anvil;
beforeAll(async () => {
  anvil = await startAnvil(SEPOLIA.chainId);
});
afterAll(() => anvil.stop());

const judged = async (code: Hex, transfer: EvmTransfer = ERC20) => {
  await anvil.control.setCode({ address: RECIPIENT, bytecode: code });
  const result = await evmNode({ ...SEPOLIA, rpcUrl: anvil.rpcUrl, confirmations: 1 }).judgeRecipient?.(
    transfer,
  );
  return result?.ok === false ? [result.problem.code, result.problem.details] : "suitable";
};

describe("tokens to a contract", () => {
  it("that is itself a token stay there, and are refused", async () => {
    expect(await judged(TOKEN)).toEqual([
      "RecipientUnsuitable",
      { field: "to", why: expect.stringContaining("totalSupply") },
    ]);
  });

  it("that is a collection of collectibles stay there, and are refused", async () => {
    expect(await judged(COLLECTION)).toEqual([
      "RecipientUnsuitable",
      { field: "to", why: expect.stringContaining("supportsInterface") },
    ]);
  });

  it.each<[string, Hex]>([
    [
      "a contract that says to have every interface",
      contractOf({ "supportsInterface(bytes4)": CODE.answers(1n) }),
    ],
    [
      "a contract that has another interface",
      contractOf({ "supportsInterface(bytes4)": speaksOf("150b7a02") }),
    ],
    ["an account without code", "0x"],
    ["an account whose owner delegated it (EIP-7702)", `0xef0100${CONTRACT.slice(2)}`],
    ["a safe, which reverts what it does not know", contractOf({})],
    ["a safe, whose fallback goes well", contractOf({}, CODE.stops)],
    ["a contract with a supply alone, as of collectibles", contractOf({ "totalSupply()": CODE.answers(7n) })],
    ["a price feed, which has decimals alone", contractOf({ "decimals()": CODE.answers(8n) })],
    ["a contract that answers everything, which says nothing", contractOf({}, CODE.answers(1n))],
    ["a contract that halts", contractOf({}, "fe")],
  ])("are sent to %s", async (_, code) => {
    expect(await judged(code)).toBe("suitable");
  });

  it.each<[string, EvmTransfer]>([
    ["the native coin, which is tried", NATIVE],
    ["a collectible, which asks by itself", ONE],
  ])("are not concerned by %s", async (_, transfer) => {
    expect(await judged(TOKEN, transfer)).toBe("suitable");
  });

  it("are not judged while the node is away", async () => {
    const stub = await openStubEvm(() => ({ error: { code: -32_005, message: "rate limit exceeded" } }));
    const node = evmNode({ ...SEPOLIA, rpcUrl: stub.rpcUrl, confirmations: 1 });
    const result = await node.judgeRecipient?.(ERC20);
    await stub.close();
    expect(result?.ok === false && result.problem.code).toBe("ServiceUnavailable");
  });
});
