import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type FeeMarket, feesFor, wholeFee } from "./fees.ts";

const GWEI = 1_000_000_000n;
const market: FeeMarket = {
  nextBaseFee: 8n * GWEI,
  rewards: [
    [1n * GWEI, 2n * GWEI, 3n * GWEI],
    [2n * GWEI, 4n * GWEI, 9n * GWEI],
    [1n * GWEI, 3n * GWEI, 5n * GWEI],
  ],
  suggestedTip: 1_500_000_000n,
};

describe("fees", () => {
  it.each([
    ["Slow", 1n, 11n],
    ["Standard", 3n, 15n],
    ["Fast", 5n, 21n],
  ] as const)(
    "%s takes the median of its percentile and its headroom over the base fee",
    (priority, tip, cap) => {
      expect(feesFor(priority, { ...market, suggestedTip: GWEI })).toEqual({
        maxPriorityFeePerGas: tip * GWEI,
        maxFeePerGas: cap * GWEI,
      });
    },
  );

  it("follows the node's suggestion with twice the base fee when no priority is given", () => {
    expect(feesFor(undefined, market)).toEqual({
      maxPriorityFeePerGas: 1_500_000_000n,
      maxFeePerGas: 17_500_000_000n,
    });
  });

  it("tips the floor on a chain that reports no tips", () => {
    const quiet = { nextBaseFee: GWEI, rewards: [[0n, 0n, 0n]], suggestedTip: 0n };
    expect(feesFor("Slow", quiet).maxPriorityFeePerGas).toBe(10_000_000n);
    expect(feesFor(undefined, quiet).maxPriorityFeePerGas).toBe(10_000_000n);
    expect(feesFor("Fast", { ...quiet, rewards: [] }).maxPriorityFeePerGas).toBe(10_000_000n);
  });

  it.each(["Slow", "Standard", "Fast", undefined] as const)(
    "bids no less than the node suggests, nor than the network's entry asks, at priority %s",
    (priority) => {
      const quiet = { nextBaseFee: GWEI, rewards: [[0n, 0n, 0n]], suggestedTip: 25n * GWEI };
      expect(feesFor(priority, quiet).maxPriorityFeePerGas).toBe(25n * GWEI);
      const low = { ...quiet, suggestedTip: 1n, leastTip: 30n * GWEI };
      expect(feesFor(priority, low).maxPriorityFeePerGas).toBe(30n * GWEI);
      // ganache before London: its own gas price
      const old = { nextBaseFee: undefined, rewards: [], suggestedTip: 2n * GWEI };
      expect(feesFor(priority, old)).toEqual({ maxFeePerGas: 2n * GWEI, maxPriorityFeePerGas: 2n * GWEI });
    },
  );

  it("never lets the tip exceed the cap, and Fast is never cheaper than Slow", () => {
    const amount = fc.bigInt({ min: 0n, max: 10n ** 13n });
    const row = fc.tuple(amount, amount, amount).map((tips) => tips.sort((a, b) => Number(a - b)));
    fc.assert(
      fc.property(amount, fc.array(row, { maxLength: 20 }), amount, (nextBaseFee, rewards, suggestedTip) => {
        const of = (priority: "Slow" | "Standard" | "Fast" | undefined) =>
          feesFor(priority, { nextBaseFee, rewards, suggestedTip });
        for (const fees of [of("Slow"), of("Standard"), of("Fast"), of(undefined)]) {
          expect(fees.maxFeePerGas).toBeGreaterThanOrEqual(nextBaseFee + fees.maxPriorityFeePerGas);
        }
        expect(of("Fast").maxFeePerGas).toBeGreaterThanOrEqual(of("Slow").maxFeePerGas);
      }),
    );
  });

  it("costs its whole gas limit at its highest price", () => {
    expect(wholeFee(21_000n, { maxFeePerGas: 3n, maxPriorityFeePerGas: 1n })).toBe(63_000n);
  });
});
