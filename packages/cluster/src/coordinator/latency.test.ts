import type { PartyIndex } from "@conclave/threshold";
import { seededEntropy, testParties, testParty } from "@conclave/threshold/testing";
import { describe, expect, test } from "vitest";
import { rosterOf, START_MS } from "../testing/fixtures.ts";
import { type FirstAnswers, slownessOf, withAnswer, withLags } from "./latency.ts";
import { LAG_MEMORY_MS, SLOW_MS } from "./limits.ts";
import { chooseQuorum } from "./quorum/choose.ts";
import { coolDown, recover, type Standings, standingOf } from "./standings.ts";

const parties = testParties(5);
const NOBODY: Standings = new Map();

/** A session in which each signer answers after its delay. */
const session = (
  health: Standings,
  delays: Readonly<Record<number, number>>,
  nowMs = START_MS,
): Standings => {
  let answered: FirstAnswers = new Map();
  let next = health;
  const size = Object.keys(delays).length;
  for (const [signer, delayMs] of Object.entries(delays).sort(([, a], [, b]) => a - b)) {
    const party = testParty(Number(signer));
    next = withLags(next, [party], answered, size, nowMs + delayMs);
    answered = withAnswer(answered, party, nowMs + delayMs);
  }
  return next;
};

const lags = (health: Standings) => parties.map((signer) => standingOf(health, signer).lag?.ms);
const slow = (health: Standings, nowMs = START_MS) =>
  parties.filter((signer) => slownessOf(health, [signer], nowMs) > 0);

const chosen = (health: Standings, nowMs: number, seed: string): readonly PartyIndex[] => {
  const candidates = { roster: rosterOf(5), live: new Set(parties), health, refused: new Set<PartyIndex>() };
  return chooseQuorum(candidates, 3, seededEntropy(seed), nowMs) ?? expect.fail("all live");
};
const SEEDS = Array.from({ length: 40 }, (_, at) => `seed ${at}`);
const timesChosen = (health: Standings, signer: number, nowMs: number): number =>
  SEEDS.filter((seed) => chosen(health, nowMs, seed).includes(testParty(signer))).length;

describe("how late a signer is", () => {
  test("is measured against the others of its session: a delay of all of them makes nobody slow", () => {
    expect(lags(session(NOBODY, { 1: 5_000, 2: 5_010, 3: 5_040 }))).toEqual([0, 0, 30, undefined, undefined]);
    expect(slow(session(NOBODY, { 1: 10, 2: 20, 3: 20 + SLOW_MS }))).toEqual([testParty(3)]);
  });

  test("is not measured against one signer that answers at once: it makes no other slow", () => {
    expect(slow(session(NOBODY, { 1: 0, 2: 3_000, 3: 3_100 }))).toEqual([]);
  });

  test("is smoothed: one hiccup of a fast signer counts a quarter", () => {
    const fast = session(NOBODY, { 1: 10, 2: 10, 3: 10 });
    expect(lags(session(fast, { 1: 10, 2: 10, 3: 410 }))[2]).toBe(100);
  });

  test("has a step for each doubling, and a set is as slow as its slowest", () => {
    const health = session(session(NOBODY, { 1: 0, 2: 0, 3: SLOW_MS }), { 1: 0, 2: 0, 4: 4 * SLOW_MS });
    const of = (...signers: readonly number[]) => slownessOf(health, signers.map(testParty), START_MS);
    expect([of(1, 2), of(3), of(4), of(1, 3, 4), of(5)]).toEqual([0, 1, 3, 3, 0]);
  });

  test("also counts a signer that had said nothing when the signature was there", () => {
    const answered = withAnswer(withAnswer(new Map(), testParty(1), START_MS), testParty(2), START_MS);
    const health = withLags(NOBODY, parties.slice(0, 3), answered, 3, START_MS + 2 * SLOW_MS);
    expect(slow(health)).toEqual([testParty(3)]);
  });

  test("outlasts a session that ends well, and is no failure", () => {
    const health = session(NOBODY, { 1: 0, 2: 0, 3: 1_000 });
    const after = recover(coolDown(health, testParty(3), START_MS), parties, START_MS);
    expect(slow(after)).toEqual([testParty(3)]);
    expect(standingOf(after, testParty(3))).toMatchObject({ failures: 0, excludedUntilMs: 0 });
  });
});

describe("a slow signer", () => {
  const health = session(NOBODY, { 1: 0, 2: 0, 3: 1_000 });

  test("is left out of quorums while others can do it", () => {
    expect(timesChosen(NOBODY, 3, START_MS)).toBeGreaterThan(10);
    expect(timesChosen(health, 3, START_MS)).toBe(0);
  });

  test("is tried again after a while, and avoided again at once if it is as slow as before", () => {
    const later = START_MS + 1_000 + LAG_MEMORY_MS;
    expect(timesChosen(health, 3, later)).toBeGreaterThan(10);
    const again = session(health, { 1: 0, 2: 0, 3: 1_000 }, later);
    expect(timesChosen(again, 3, later + 1_000)).toBe(0);
    const better = session(health, { 1: 0, 2: 0, 3: 10 }, later);
    expect(timesChosen(better, 3, later + 10)).toBeGreaterThan(10);
  });

  test("is taken when there are too few others", () => {
    const live = new Set([1, 2, 3].map(testParty));
    const candidates = { roster: rosterOf(5), live, health, refused: new Set<PartyIndex>() };
    expect(chooseQuorum(candidates, 3, seededEntropy("few"), START_MS)).toEqual([1, 2, 3]);
  });

  test("INV-7 comes before one that failed", () => {
    const failed = coolDown(health, testParty(4), START_MS - 2_000);
    expect(timesChosen(failed, 4, START_MS)).toBe(0);
    const candidates = { roster: rosterOf(5), live: new Set([1, 2, 3, 4].map(testParty)) };
    const quorum = chooseQuorum(
      { ...candidates, health: failed, refused: new Set() },
      3,
      seededEntropy("failed"),
      START_MS,
    );
    expect(quorum).toEqual([1, 2, 3]);
  });
});
