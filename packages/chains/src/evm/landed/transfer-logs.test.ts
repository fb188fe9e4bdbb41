import { type Hex, pad, toHex } from "viem";
import { describe, expect, it } from "vitest";
import { CONTRACT, ERC20, RECIPIENT, TEST_ADDRESS } from "../../testing/samples.ts";
import { arrivedByLogs, type TokenLog, type TokenTransfer, TRANSFER_TOPIC } from "./transfer-logs.ts";

const SENDER = TEST_ADDRESS.toLowerCase();
const OTHER = `0x${"33".repeat(20)}`;
const ONE: TokenTransfer = { kind: "Erc721", contract: CONTRACT, from: SENDER, to: RECIPIENT, tokenId: "7" };
const AMOUNT = BigInt(ERC20.amount);

const word = (value: string | bigint): Hex =>
  typeof value === "bigint" ? pad(toHex(value)) : pad(`0x${value.slice(2)}`);
const log = (from: string, to: string, number: bigint, indexed = 2, address = CONTRACT): TokenLog => {
  const words = [word(from), word(to), word(number)];
  const data = words.slice(indexed).map((each) => each.slice(2));
  return { address, topics: [TRANSFER_TOPIC, ...words.slice(0, indexed)], data: `0x${data.join("")}` };
};

describe("the logs of a token's transfer", () => {
  it.each<[string, readonly TokenLog[], bigint | undefined]>([
    ["EIP-20's event", [log(SENDER, RECIPIENT, AMOUNT)], AMOUNT],
    ["one without an index", [log(SENDER, RECIPIENT, AMOUNT, 0)], AMOUNT],
    ["one with an index on the sender alone", [log(SENDER, RECIPIENT, AMOUNT, 1)], AMOUNT],
    ["one with an index on all", [log(SENDER, RECIPIENT, AMOUNT, 3)], AMOUNT],
    [
      "a fee that goes to another",
      [log(SENDER, OTHER, 10n), log(SENDER, RECIPIENT, AMOUNT - 10n)],
      AMOUNT - 10n,
    ],
    ["a fee that is taken afterwards", [log(SENDER, RECIPIENT, AMOUNT), log(RECIPIENT, OTHER, 10n)], AMOUNT],
    ["burning and minting", [log(SENDER, OTHER, AMOUNT), log(OTHER, RECIPIENT, AMOUNT - 1n)], AMOUNT - 1n],
    ["a dividend beside it", [log(OTHER, RECIPIENT, 99n), log(SENDER, RECIPIENT, AMOUNT)], AMOUNT],
    ["nothing", [], undefined],
    ["a transfer of nothing", [log(SENDER, RECIPIENT, 0n)], undefined],
    ["another contract's event", [log(SENDER, RECIPIENT, AMOUNT, 2, OTHER)], undefined],
    ["an event for another recipient", [log(SENDER, OTHER, AMOUNT)], undefined],
    [
      "another event",
      [{ ...log(SENDER, RECIPIENT, AMOUNT), topics: [word(7n), word(SENDER), word(RECIPIENT)] }],
      undefined,
    ],
    ["an event that is cut off", [{ ...log(SENDER, RECIPIENT, AMOUNT), data: "0x01" }], undefined],
    ["an event of two words", [{ ...log(SENDER, RECIPIENT, AMOUNT), data: "0x" }], undefined],
  ])("is read from %s", (_, logs, arrived) => {
    expect(arrivedByLogs(logs, ERC20, SENDER)).toBe(arrived);
  });

  it.each<[string, readonly TokenLog[], bigint | undefined]>([
    ["EIP-721's event", [log(SENDER, RECIPIENT, 7n, 3)], 1n],
    ["that of CryptoKitties", [log(SENDER, RECIPIENT, 7n, 0)], 1n],
    ["another token's id", [log(SENDER, RECIPIENT, 8n, 3)], undefined],
    ["another recipient", [log(SENDER, OTHER, 7n, 3)], undefined],
  ])("of one of a kind is read from %s", (_, logs, arrived) => {
    expect(arrivedByLogs(logs, ONE, SENDER)).toBe(arrived);
  });
});
