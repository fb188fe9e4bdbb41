import { EXCLUSION_BYTES_MAX, SIGNABLES_MAX } from "@conclave/custody";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { excludesSoundly } from "../testing/exclusion-property.ts";
import { bitcoinExclusion, sharesCoin } from "./exclusion.ts";
import type { Outpoint } from "./wire/transaction.ts";

const outpoint = fc.record({
  txid: fc.constantFrom("aa".repeat(32), "ab".repeat(32), `${"00".repeat(31)}01`),
  index: fc.integer({ min: 0, max: 3 }),
});
const coins = fc.uniqueArray(outpoint, {
  minLength: 1,
  maxLength: 5,
  selector: ({ txid, index }) => `${txid}:${index}`,
});

const shares = (one: readonly Outpoint[], other: readonly Outpoint[]): boolean =>
  one.some(({ txid, index }) => other.some((each) => each.txid === txid && each.index === index));

describe("INV-4 on Bitcoin", () => {
  it("one excludes another exactly when they share a coin", () => {
    fc.assert(
      fc.property(coins, coins, (one, other) => {
        expect(sharesCoin(bitcoinExclusion(one), bitcoinExclusion(other))).toBe(shares(one, other));
      }),
    );
  });

  it("no history gets two transactions of one request signed that could both land", () => {
    excludesSoundly<readonly Outpoint[]>(sharesCoin, {
      transactions: coins,
      exclusionOf: bitcoinExclusion,
      deadlineMs: () => undefined,
      canBothLand: (first, second) => !shares(first, second),
    });
  });

  it("the coins of the largest transaction fit, and other bytes exclude nothing", () => {
    const many = Array.from({ length: SIGNABLES_MAX }, (_, index) => ({ txid: "aa".repeat(32), index }));
    const whole = bitcoinExclusion(many);
    expect(whole.length).toBeLessThanOrEqual(EXCLUSION_BYTES_MAX);
    expect(sharesCoin(whole, whole)).toBe(true);
    for (const odd of [new Uint8Array(0), Uint8Array.of(1), whole.slice(0, -1), whole.with(0, 2)]) {
      expect([sharesCoin(odd, whole), sharesCoin(whole, odd), sharesCoin(odd, odd)]).toEqual([
        false,
        false,
        false,
      ]);
    }
  });
});
