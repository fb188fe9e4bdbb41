import { type FamilyContent, networkSchema } from "@conclave/custody";
import { describe, expect, it } from "vitest";
import { EVM_RULES } from "./rules.ts";

const TOKEN = "0x5fbdb2315678afecb367f032d93f642f64180aa3";
const PERSON = "0x70997970c51812dc3a010c7d01b50e0d17dc79c8";
const native = (to: string) => ({ kind: "Native", to, amount: "1" });
const erc20 = (to: string, contract = TOKEN) => ({ kind: "Erc20", contract, to, amount: "1" });
const erc721 = (to: string) => ({ kind: "Erc721", contract: TOKEN, from: PERSON, to, tokenId: "7" });

const judged = (transfer: FamilyContent) =>
  EVM_RULES.judgeRecipient?.(networkSchema.parse("EthereumSepolia"), transfer) ??
  expect.fail("nobody judges");

describe("a recipient that cannot use the asset", () => {
  it.each([
    ["the token's own contract", erc20(TOKEN), "the token's own contract"],
    ["the collectible's own contract", erc721(TOKEN), "the token's own contract"],
    ["where tokens are burnt", erc20("0x000000000000000000000000000000000000dead"), "burnt"],
    [
      "where tokens are burnt, of the native coin",
      native("0x000000000000000000000000000000000000dead"),
      "burnt",
    ],
    ["Shiba's burn address", erc20("0xdead000000000000000042069420694206942069"), "burnt"],
    ["ecrecover, a precompile", native("0x0000000000000000000000000000000000000001"), "EIP-1352"],
    ["the last one of BLS12-381", native("0x0000000000000000000000000000000000000011"), "EIP-1352"],
    ["P256VERIFY", erc20("0x0000000000000000000000000000000000000100"), "EIP-1352"],
    ["POL's own precompile", native("0x0000000000000000000000000000000000001010"), "EIP-1352"],
    ["the highest that is kept", erc721("0x000000000000000000000000000000000000ffff"), "EIP-1352"],
    ["the placeholder for ether", erc20(`0x${"ee".repeat(20)}`), "ERC-7528"],
    ["all ones", native(`0x${"ff".repeat(20)}`), "all ones"],
    ["the system's address", native(`0x${"ff".repeat(19)}fe`), "EIP-4788"],
    ["the contract of block hashes", erc20("0x0000f90827f1c53a10cb7a02335b175320002935"), "EIP-2935"],
  ])("is %s", (_, transfer, why) => {
    const verdict = judged(transfer);
    expect(verdict.ok ? "suitable" : [verdict.problem.code, verdict.problem.details]).toEqual([
      "RecipientUnsuitable",
      { field: "to", why: expect.stringContaining(why) },
    ]);
  });

  it.each([
    ["a person", erc20(PERSON)],
    ["a person, of the native coin", native(PERSON)],
    ["a person, of a collectible", erc721(PERSON)],
    ["a contract of the native coin", native(TOKEN)],
    ["the first address that is not kept", native("0x0000000000000000000000000000000000010000")],
    ["the wrapped coin of the OP stack", native("0x4200000000000000000000000000000000000006")],
    ["a person, of POL as a token", erc20(PERSON, "0x0000000000000000000000000000000000001010")],
  ])("is not %s", (_, transfer) => {
    expect(judged(transfer).ok).toBe(true);
  });
});
