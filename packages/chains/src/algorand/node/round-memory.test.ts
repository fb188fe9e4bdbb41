import { describe, expect, it } from "vitest";
import { RoundMemory } from "./round-memory.ts";

const ids = (count: number, of: string): readonly string[] =>
  Array.from({ length: count }, (_, at) => `${of}${at}`);

describe("the memory of rounds", () => {
  it("is bounded: the rounds that were read first are forgotten first, and the last one is kept whatever its size", () => {
    const memory = new RoundMemory();
    memory.rememberRound(1n, ids(60_000, "a"));
    memory.rememberRound(2n, ids(30_000, "b"));
    // if two callers read a round at once, it counts once
    memory.rememberRound(1n, ids(60_000, "a"));
    expect([memory.idsOf(1n)?.size, memory.idsOf(2n)?.size]).toEqual([60_000, 30_000]);
    memory.rememberRound(3n, ids(20_000, "c"));
    expect([memory.idsOf(1n), memory.idsOf(2n)?.size, memory.idsOf(3n)?.size]).toEqual([
      undefined,
      30_000,
      20_000,
    ]);
    memory.rememberRound(4n, ids(150_000, "d"));
    expect([memory.idsOf(3n), memory.idsOf(4n)?.size]).toEqual([undefined, 150_000]);
  });

  it("is bounded for verdicts as well", () => {
    const memory = new RoundMemory();
    for (const id of ids(10_001, "x")) {
      memory.rememberMissed(id);
      memory.rememberLanding(id, { round: 5n, fee: 1n });
    }
    expect([memory.hasMissed("x0"), memory.hasMissed("x1"), memory.hasMissed("x10000")]).toEqual([
      false,
      true,
      true,
    ]);
    expect([memory.landingOf("x0"), memory.landingOf("x10000")]).toEqual([undefined, { round: 5n, fee: 1n }]);
  });
});
