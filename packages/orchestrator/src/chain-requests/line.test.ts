import { describe, expect, it } from "vitest";
import { lookInLineMs, WALLET_BUSY_MS } from "./line.ts";

const MS_A_SECOND = 1_000;

describe("a request behind others of its wallet", () => {
  it("is looked at soon when few are before it, and within a minute however many are", () => {
    expect([0, 1, 2, 3, 100, 600, 100_000].map(lookInLineMs)).toEqual([
      WALLET_BUSY_MS,
      WALLET_BUSY_MS,
      WALLET_BUSY_MS,
      300,
      10_000,
      60_000,
      60_000,
    ]);
  });

  it("costs next to nothing though two thousand wait: fewer than a hundred looks a second for all of them", () => {
    const looks = Array.from({ length: 2_000 }, (_, before) => MS_A_SECOND / lookInLineMs(before));
    expect(looks.reduce((sum, each) => sum + each, 0)).toBeLessThan(100);
  });
});
