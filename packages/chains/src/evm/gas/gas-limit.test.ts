import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { CONTRACT } from "../../testing/samples.ts";
import { gasLimitFor, intrinsicGas, judgeGasLimit, TRANSACTION_GAS_MAX } from "./gas-limit.ts";

const LIMITS = { block: 30_000_000n, transaction: undefined };
const RULED = { block: 60_000_000n, transaction: TRANSACTION_GAS_MAX };
const limitOf = (estimate: bigint, limits: Parameters<typeof gasLimitFor>[1] = LIMITS) => {
  const limit = gasLimitFor(estimate, limits);
  return limit.ok ? limit.value : limit.problem.details?.["most"];
};
const CALL = { to: CONTRACT, data: "0x" } as const;

describe("the gas limit of an estimate", () => {
  it.each([
    ["exact for a plain payment", 21_000n, LIMITS, 21_000n],
    ["a fifth more for a call", 50_000n, LIMITS, 60_000n],
    [
      "no more than a block holds, and a little less, for limits move",
      27_300_000n,
      LIMITS,
      30_000_000n - 29_296n,
    ],
    ["the estimate, where it is nearly what a block holds", 29_999_999n, LIMITS, 29_999_999n],
    ["the block's, exactly", 30_000_000n, LIMITS, 30_000_000n],
    [
      "2^24 for an estimate below it, whether or not the rule is known",
      16_000_000n,
      LIMITS,
      TRANSACTION_GAS_MAX,
    ],
    ["2^24 where that is the rule", 16_000_000n, RULED, TRANSACTION_GAS_MAX],
  ])("is %s", (_, estimate, limits, limit) => {
    expect(limitOf(estimate, limits)).toBe(limit);
  });

  it.each([
    [30_000_001n, LIMITS, "30000000"],
    [16_777_217n, RULED, "16777216"],
  ])("is none for %d, which no transaction may have", (estimate, limits, most) => {
    expect(limitOf(estimate, limits)).toBe(most);
  });

  it("is between the estimate and what the chain takes", () => {
    fc.assert(
      fc.property(
        fc.bigInt(21_000n, 60_000_000n),
        fc.bigInt(1_000_000n, 60_000_000n),
        fc.boolean(),
        (estimate, block, isRuled) => {
          const transaction = isRuled ? TRANSACTION_GAS_MAX : undefined;
          const limit = gasLimitFor(estimate, { block, transaction });
          const isPossible = estimate <= block && estimate <= (transaction ?? block);
          expect(limit.ok).toBe(isPossible);
          if (!limit.ok) return;
          expect(limit.value).toBeGreaterThanOrEqual(estimate);
          expect(limit.value).toBeLessThanOrEqual(block);
          expect(limit.value).toBeLessThanOrEqual(transaction ?? block);
        },
      ),
    );
  });
});

describe("a caller's gas limit", () => {
  it.each([
    [21_000n, LIMITS, "ok"],
    [30_000_000n, LIMITS, "ok"],
    [16_777_216n, RULED, "ok"],
    [20_999n, LIMITS, "21000"],
    [30_000_001n, LIMITS, "30000000"],
    [16_777_217n, RULED, "16777216"],
  ])("of %d is judged", (wanted, limits, reported) => {
    const judged = judgeGasLimit(wanted, limits, CALL);
    const details = judged.ok ? undefined : judged.problem.details;
    expect(judged.ok ? "ok" : (details?.["needed"] ?? details?.["most"])).toBe(reported);
  });
});

describe("the gas before the first instruction", () => {
  it.each([
    ["a payment", { to: CONTRACT, data: "0x" }, [], 21_000n],
    ["zeroes and others", { to: CONTRACT, data: "0x00ff00" }, [], 21_024n],
    ["a creation", { to: undefined, data: "0x60" }, [], 53_016n],
    [
      "an access list (EIP-2930)",
      { to: CONTRACT, data: "0x" },
      [{ address: CONTRACT, storageKeys: [`0x${"00".repeat(32)}`, `0x${"11".repeat(32)}`] }],
      21_000n + 2_400n + 2n * 1_900n,
    ],
  ] as const)("is that of %s", (_, call, list, gas) => {
    expect(intrinsicGas(call, list)).toBe(gas);
  });
});
