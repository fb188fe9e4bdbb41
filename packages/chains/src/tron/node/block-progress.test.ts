import { describe, expect, it } from "vitest";
import { BlockProgress } from "./block-progress.ts";

const MANY = 10_001;

describe("the memory of blocks that were read", () => {
  it("is the reached block, and then their content", () => {
    const progress = new BlockProgress();
    expect([progress.nextOf("a"), progress.verdictOf("a")]).toEqual([undefined, undefined]);
    progress.advance("a", 5n);
    progress.advance("a", 9n);
    expect(progress.nextOf("a")).toBe(9n);
    expect(progress.remember("a", "missed")).toBe("missed");
    expect([progress.nextOf("a"), progress.verdictOf("a")]).toEqual([undefined, "missed"]);
  });

  it("is bounded: the transactions that were asked for first are forgotten first", () => {
    const progress = new BlockProgress();
    for (let at = 0; at < MANY; at += 1) {
      progress.advance(`p${at}`, 1n);
      progress.remember(`v${at}`, "landed");
    }
    expect([progress.nextOf("p0"), progress.nextOf("p1"), progress.nextOf(`p${MANY - 1}`)]).toEqual([
      undefined,
      1n,
      1n,
    ]);
    expect([progress.verdictOf("v0"), progress.verdictOf("v1")]).toEqual([undefined, "landed"]);
  });
});
