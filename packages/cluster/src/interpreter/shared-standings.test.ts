import { testParty } from "@conclave/threshold/testing";
import { expect, test } from "vitest";
import { blame, coolDown, type Standings, standingOf } from "../coordinator/standings.ts";
import { SharedStandings } from "./shared-standings.ts";

const [ONE, TWO, THREE] = [testParty(1), testParty(2), testParty(3)];
const NOW_MS = 1_000;
const EMPTY: Standings = new Map();

test("a signer that comes back starts afresh, unless it is blamed; of one that stayed nothing is forgotten", () => {
  const standings = new SharedStandings();
  standings.hearLive([THREE]);
  const paused = [ONE, THREE].reduce((all, signer) => coolDown(all, signer, NOW_MS), EMPTY);
  standings.learn(blame(paused, TWO, NOW_MS));
  const before = standings.now;
  standings.hearLive([ONE, TWO, THREE]);
  expect(standingOf(standings.now, ONE)).toEqual({
    ...standingOf(before, ONE),
    failures: 0,
    excludedUntilMs: 0,
  });
  for (const signer of [TWO, THREE]) {
    expect(standingOf(standings.now, signer)).toEqual(standingOf(before, signer));
  }
});
