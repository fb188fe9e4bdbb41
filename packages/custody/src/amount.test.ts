import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { parseAmount, TOKEN_UNIT } from "./amount.ts";

const LARGEST = 2n ** 256n - 1n;

describe("an amount", () => {
  it("is any positive integer of 256 bits", () => {
    fc.assert(
      fc.property(fc.bigInt({ min: 1n, max: LARGEST }), (amount) => {
        expect(parseAmount(amount.toString(), TOKEN_UNIT)).toEqual({ ok: true, value: amount.toString() });
      }),
    );
  });

  it.each([
    "0",
    "-1",
    "+1",
    "1.5",
    "1e18",
    "01",
    " 1",
    "1 ",
    "0x10",
    "",
    "١",
    `${LARGEST + 1n}`,
    "9".repeat(256),
  ])("is not %j", (text) => {
    const parsed = parseAmount(text, TOKEN_UNIT);
    expect(parsed.ok ? "ok" : parsed.problem.code).toBe("AmountInvalid");
  });

  it("reaches up to 2^256 − 1 and no further", () => {
    expect([
      parseAmount(LARGEST.toString(), TOKEN_UNIT).ok,
      parseAmount((LARGEST + 1n).toString(), TOKEN_UNIT).ok,
    ]).toEqual([true, false]);
  });
});
