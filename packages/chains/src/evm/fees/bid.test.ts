import type { EvmFeeLevels } from "@conclave/custody";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { leastReplacing } from "../rules/replacement-fees.ts";
import { bidFor } from "./bid.ts";

const GWEI = 10n ** 9n;
const marketOf = (maxFeePerGas: bigint): EvmFeeLevels => {
  const level = { maxFeePerGas: maxFeePerGas.toString(), maxPriorityFeePerGas: "1" };
  return { kind: "Eip1559", blockNumber: 7, baseFeePerGas: "1", slow: level, standard: level, fast: level };
};
const bid = (price: bigint, cap: bigint, market: bigint, tip = GWEI) =>
  bidFor({ maxFeePerGas: price, maxPriorityFeePerGas: tip }, cap, marketOf(market));

describe("the service's own bid", () => {
  it.each([
    ["up to twice what waits, as a caller's speed-up", 10n * GWEI, 100n * GWEI, 0n, 20n * GWEI],
    ["what the market asks, where that is more", 10n * GWEI, 100n * GWEI, 70n * GWEI, 70n * GWEI],
    ["the cap, where the market asks more", 10n * GWEI, 30n * GWEI, 70n * GWEI, 30n * GWEI],
    ["the cap, where it is below twice", 10n * GWEI, 12n * GWEI, 0n, 12n * GWEI],
  ])("is %s", (_, price, cap, market, most) => {
    expect(bid(price, cap, market)).toEqual({ ok: true, value: { kind: "bid", most } });
  });

  it("is nothing where the least that nodes take is above the cap", () => {
    const least = leastReplacing(10n * GWEI) + 1n;
    expect(bid(10n * GWEI, least - 1n, 0n)).toEqual({ ok: true, value: { kind: "above-cap", least } });
    expect(bid(10n * GWEI, least, 0n)).toEqual({ ok: true, value: { kind: "bid", most: least } });
  });

  it("never is above the cap, and never below what replaces", () => {
    const wei = fc.bigInt(0n, 10n ** 15n);
    fc.assert(
      fc.property(wei, wei, wei, wei, (price, tip, cap, market) => {
        const found = bid(price + tip, cap, market, tip);
        if (!found.ok) return expect.fail(found.problem.message);
        const least = leastReplacing(price + tip);
        if (found.value.kind === "above-cap") {
          expect(found.value.least).toBeGreaterThan(cap);
        } else {
          expect(found.value.most).toBeLessThanOrEqual(cap);
          expect(found.value.most).toBeGreaterThanOrEqual(least);
        }
      }),
    );
  });
});
