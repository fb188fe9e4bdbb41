import { describe, expect, it } from "vitest";
import { z } from "zod";
import { FAMILIES } from "./registry.ts";
import {
  ALGORAND_TESTNET,
  BITCOIN_SIGNET,
  SEPOLIA,
  SOLANA_DEVNET,
  STELLAR_TESTNET,
  TRON_NILE,
  XRPL_TESTNET,
} from "./testing/index.ts";

const BUMPS = { afterBlocks: 10, most: 3, cap: "50000000000" };
const EVM = { ...SEPOLIA, family: "Evm", rpcUrl: "http://127.0.0.1:1", confirmations: 1 };

/** The message to the operator about a refused entry; undefined when it is accepted. */
const refusalOf = (entry: object): string | undefined => {
  const { error } = FAMILIES.networksSchema.safeParse([entry]);
  return error && z.prettifyError(error);
};

describe("feeBumps of the networks file", () => {
  it.each([
    ["EVM", EVM, "50000000000"],
    ["Bitcoin", BITCOIN_SIGNET, "50"],
  ])("is taken on %s, and may be left out", (_, entry, cap) => {
    expect(refusalOf(entry)).toBeUndefined();
    expect(refusalOf({ ...entry, feeBumps: { ...BUMPS, cap } })).toBeUndefined();
  });

  it.each([ALGORAND_TESTNET, SOLANA_DEVNET, STELLAR_TESTNET, TRON_NILE, XRPL_TESTNET])(
    "is refused where nothing is replaced: $family",
    (entry) => {
      expect(refusalOf({ ...entry, feeBumps: BUMPS })).toBe(
        `✖ ${entry.family} replaces no transaction, so no fee is raised there: take the field away\n  → at [0].feeBumps`,
      );
    },
  );

  it.each<[string, object, RegExp]>([
    ["no cap", { cap: undefined }, /at \[0\]\.feeBumps\.cap/],
    ["a cap of nothing", { cap: "0" }, /is not a number of wei a gas, as digits\n.*feeBumps\.cap/],
    ["a cap with a fraction", { cap: "1.5" }, /feeBumps\.cap/],
    ["a cap that is a number", { cap: 5 }, /feeBumps\.cap/],
    ["no block", { afterBlocks: 0 }, /feeBumps\.afterBlocks/],
    ["half a block", { afterBlocks: 1.5 }, /feeBumps\.afterBlocks/],
    ["no bump", { most: 0 }, /feeBumps\.most/],
    ["as many bumps as there are", { most: 1_000 }, /feeBumps\.most/],
    ["something else", { price: "1" }, /Unrecognized key: "price"\n.*feeBumps/],
  ])("is refused, and says where: %s", (_, change, words) => {
    expect(refusalOf({ ...EVM, feeBumps: { ...BUMPS, ...change } })).toMatch(words);
  });

  it("of a family that there is not names those that there are", () => {
    expect(refusalOf({ network: "Ethereum", family: "Evn" })).toMatch(/is none of Evm, Algorand, Bitcoin/);
  });
});
