import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { judgeReplacement, leastReplacing, replacingFees } from "./replacement-fees.ts";

const GWEI = 1_000_000_000n;
const earlier = { maxFeePerGas: 8n * GWEI, maxPriorityFeePerGas: 2n * GWEI };
const market = { maxFeePerGas: 3n * GWEI, maxPriorityFeePerGas: 1n * GWEI };

const codeOf = (wanted: Parameters<typeof judgeReplacement>[1]) => {
  const judged = judgeReplacement(earlier, wanted);
  return judged.ok ? "ok" : `${judged.problem.code} ${judged.problem.details["field"] ?? ""}`.trim();
};

describe("the fees of a replacement", () => {
  it.each([
    [0n, 1n],
    [1n, 2n],
    [8n, 9n],
    [9n, 11n],
    [8n * GWEI, 9n * GWEI],
  ])("of %i wei are at least %i wei", (fee, least) => {
    expect(leastReplacing(fee)).toBe(least);
  });

  it("are raised, both of them, when the caller leaves them out", () => {
    expect(replacingFees(earlier, {}, market)).toEqual({
      ok: true,
      value: { maxFeePerGas: 9n * GWEI + 1n, maxPriorityFeePerGas: (9n * GWEI) / 4n + 1n },
    });
  });

  it("are those of the moment when these are higher", () => {
    const busy = { maxFeePerGas: 50n * GWEI, maxPriorityFeePerGas: 5n * GWEI };
    expect(replacingFees(earlier, {}, busy)).toEqual({ ok: true, value: busy });
  });

  it("raise the tip with a cap that the caller gave, but not above it", () => {
    const fees = replacingFees(
      earlier,
      { maxFeePerGas: 9n * GWEI },
      { ...market, maxPriorityFeePerGas: 20n * GWEI },
    );
    expect(fees).toEqual({ ok: true, value: { maxFeePerGas: 9n * GWEI, maxPriorityFeePerGas: 9n * GWEI } });
  });

  it.each([
    ["ok", {}],
    ["ok", { maxFeePerGas: 9n * GWEI }],
    ["ok", { maxFeePerGas: 9n * GWEI, maxPriorityFeePerGas: (9n * GWEI) / 4n }],
    ["ReplacementUnderpriced maxFeePerGas", { maxFeePerGas: 9n * GWEI - 1n }],
    ["ReplacementUnderpriced maxFeePerGas", { maxFeePerGas: 8n * GWEI }],
    ["ReplacementUnderpriced maxPriorityFeePerGas", { maxPriorityFeePerGas: (9n * GWEI) / 4n - 1n }],
    [
      "ReplacementUnderpriced maxPriorityFeePerGas",
      { maxFeePerGas: 90n * GWEI, maxPriorityFeePerGas: 2n * GWEI },
    ],
    ["FeesContradictory", { maxFeePerGas: 9n * GWEI, maxPriorityFeePerGas: 10n * GWEI }],
  ])("are judged %s for %o", (code, wanted) => {
    expect(codeOf(wanted)).toBe(code);
  });

  it("beat every node's rule of 10 % on both fees, or are refused, whatever the caller and the market say", () => {
    const fee = fc.bigInt({ min: 0n, max: 2n ** 100n });
    const fees = fc.tuple(fee, fee).map(([tip, more]) => ({
      maxFeePerGas: tip + more,
      maxPriorityFeePerGas: tip,
    }));
    const wanted = fc.record({
      maxFeePerGas: fc.option(fee, { nil: undefined }),
      maxPriorityFeePerGas: fc.option(fee, { nil: undefined }),
    });
    fc.assert(
      fc.property(fees, wanted, fees, (before, wish, now) => {
        const result = replacingFees(before, wish, now);
        if (!result.ok) {
          // only fees with a caller's number in them may be refused
          expect(wish.maxFeePerGas ?? wish.maxPriorityFeePerGas).toBeDefined();
          return;
        }
        const after = result.value;
        for (const name of ["maxFeePerGas", "maxPriorityFeePerGas"] as const) {
          expect(after[name] * 8n).toBeGreaterThanOrEqual(before[name] * 9n);
          expect(after[name]).toBeGreaterThan(before[name]);
          if (wish[name] !== undefined) expect(after[name]).toBe(wish[name]);
        }
        expect(after.maxPriorityFeePerGas).toBeLessThanOrEqual(after.maxFeePerGas);
      }),
    );
  });
});
