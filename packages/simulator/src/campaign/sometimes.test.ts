import { describe, expect, it } from "vitest";
import { neverReached, SOMETIMES, sometimesCounts } from "./sometimes.ts";

const ALL = Object.fromEntries(SOMETIMES.flatMap(({ names }) => names).map((name) => [name, 1]));
const LONG = { worlds: 100, least: 100, isAttacked: true };

describe("the things that a campaign is to reach sometimes", () => {
  it("are counted by any of their names", () => {
    const reached = {
      "orchestrator is refused: SignerLifeUnknown": 2,
      "hostile is refused: SignerLifeUnknown": 3,
    };
    const counted = sometimesCounts(reached).filter(({ count }) => count > 0);
    expect(counted).toEqual([{ title: "a signer refuses a life that has ended", count: 5 }]);
  });

  it("are named where a long campaign never reached them", () => {
    const { "hostile is refused: SessionReused": _, ...most } = ALL;
    expect(neverReached(ALL, LONG)).toEqual([]);
    expect(neverReached(most, LONG)).toEqual(["a signer refuses a session id that it knows"]);
  });

  it("may be missing in a short campaign, in one without attackers, and where nobody asks", () => {
    const { "hostile is refused: SessionReused": _, ...most } = ALL;
    expect(neverReached(most, { ...LONG, worlds: 99 })).toEqual([]);
    expect(neverReached(most, { ...LONG, isAttacked: false })).toEqual([]);
    expect(neverReached({}, { ...LONG, least: 0 })).toEqual([]);
  });
});
