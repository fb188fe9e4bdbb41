import type { FeeLevels } from "@conclave/custody";
import { describe, expect, it } from "vitest";
import { BITCOIN_SENDER, paidTo, TAPROOT_KEY } from "../testing/bitcoin-samples.ts";
import { gatherable, isQuiet } from "./gathering.ts";

const market = (feeRate: string): FeeLevels => {
  const level = { feeRate, blockHorizon: 6 };
  return { kind: "Bitcoin", blockNumber: 1, slow: level, standard: level, fast: level };
};

const holding = (count: number, amount: bigint) => Array.from({ length: count }, () => ({ amount }));

describe("K7 coins are gathered", () => {
  it.each([
    ["1", true],
    ["9.999", true],
    ["10", true],
    ["10.001", false],
    ["250", false],
  ])("at %s satoshis a virtual byte: %s", (rate, isTime) => {
    expect(isQuiet(market(rate))).toBe(isTime);
  });

  // BIP-141: 10.5 for the frame, 31 or 43 for the output and its count, 68 or 57.5 for each input, and two bytes more for their count
  it.each([
    ["P2WPKH", BITCOIN_SENDER, 201, 137_100n],
    ["P2WPKH, and more than one transaction spends", BITCOIN_SENDER, 5_000, 174_520n],
    ["P2TR", TAPROOT_KEY.address, 5_000, 589_360n],
  ])("of a wallet of %s, for 10 satoshis a virtual byte at the most", (_, owner, coins, about) => {
    const { body, ...found } = gatherable(paidTo(owner), holding(coins, 20_000n));
    expect(found).toEqual({ coins });
    if (body.kind !== "Consolidate") expect.fail("it gathers");
    const most = BigInt(body.maxFee ?? 0);
    expect(most >= (about * 99n) / 100n && most <= (about * 101n) / 100n).toBe(true);
  });

  it("and dust is not: it costs more than it holds, however much of it somebody sends", () => {
    const dust = holding(5_000, 546n);
    expect(gatherable(paidTo(BITCOIN_SENDER), [...dust, ...holding(3, 20_000n)]).coins).toBe(3);
  });
});
