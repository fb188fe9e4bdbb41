import { describe, expect, it } from "vitest";
import { afterCall, afterProbe, type Breaker, CLOSED } from "./breaker.ts";

/** After so many calls that all end in silence. */
const silenced = (times: number, from: Breaker = CLOSED): Breaker =>
  Array.from({ length: times }).reduce<Breaker>((breaker) => afterCall(breaker, true), from);

const OPEN: Breaker = { kind: "open", pauseMs: 1_000 };

describe("a circuit breaker", () => {
  it("opens after three silences in a row", () => {
    expect(silenced(2)).toEqual({ kind: "closed", silences: 2 });
    expect(silenced(3)).toEqual(OPEN);
  });

  it("counts them anew after an answer", () => {
    const answered = afterCall(silenced(2), false);
    expect(answered).toEqual(CLOSED);
    expect(silenced(2, answered).kind).toBe("closed");
  });

  it("pauses for twice as long after each probe without an answer, fifteen seconds at the most", () => {
    const pauses: number[] = [];
    let breaker: Breaker = OPEN;
    while (pauses.length < 6) {
      breaker = afterProbe(breaker, true);
      pauses.push(breaker.kind === "open" ? breaker.pauseMs : Number.NaN);
    }
    expect(pauses).toEqual([2_000, 4_000, 8_000, 15_000, 15_000, 15_000]);
  });

  it("does not pause longer for the silences of calls that went out before", () => {
    expect(afterCall(OPEN, true)).toEqual(OPEN);
  });

  it("closes at any answer, to a probe or to a call that went out before", () => {
    expect(afterProbe(OPEN, false)).toEqual(CLOSED);
    expect(afterCall(OPEN, false)).toEqual(CLOSED);
  });

  it("stays closed when a probe ends in silence after another call was answered", () => {
    expect(afterProbe(CLOSED, true)).toEqual(CLOSED);
  });
});
