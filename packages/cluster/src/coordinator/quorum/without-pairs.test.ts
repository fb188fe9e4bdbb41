import type { PartyIndex } from "@conclave/threshold";
import { testParties, testParty } from "@conclave/threshold/testing";
import fc from "fast-check";
import { expect, test } from "vitest";
import type { Pair } from "../pairs.ts";
import { quorumWithoutPairs } from "./without-pairs.ts";

const pair = (a: number, b: number): Pair => [testParty(a), testParty(b)];

const holds = (quorum: readonly PartyIndex[], [a, b]: Pair): boolean =>
  quorum.includes(a) && quorum.includes(b);

const choices = (signers: readonly PartyIndex[], count: number): readonly (readonly PartyIndex[])[] => {
  const [first, ...rest] = signers;
  if (count === 0) return [[]];
  if (first === undefined) return [];
  return [...choices(rest, count - 1).map((choice) => [first, ...choice]), ...choices(rest, count)];
};

/** The position of the worst pair within a choice; -1 when it has none. */
const worst = (quorum: readonly PartyIndex[], pairs: readonly Pair[]): number =>
  pairs.findLastIndex((each) => holds(quorum, each));

test("the preferred signers are chosen when none of them is kept apart from another", () => {
  expect(quorumWithoutPairs(testParties(5), 3, [pair(1, 4), pair(4, 5)]).map(Number)).toEqual([1, 2, 3]);
});

test("one of two that are kept apart gives way: the one that is kept apart from more, else the less preferred", () => {
  expect(quorumWithoutPairs(testParties(5), 3, [pair(1, 2)]).map(Number)).toEqual([1, 3, 4]);
  expect(quorumWithoutPairs(testParties(5), 3, [pair(1, 2), pair(1, 5)]).map(Number)).toEqual([2, 3, 4]);
});

test("when every choice has such a pair, the least bad pairs are let in", () => {
  const pairs = [pair(2, 3), pair(1, 2), pair(1, 3)];
  expect(quorumWithoutPairs(testParties(3), 2, pairs).map(Number)).toEqual([2, 3]);
});

test("among up to seven signers no other choice is better", () => {
  const sample = fc.integer({ min: 2, max: 7 }).chain((size) => {
    const all = choices(testParties(size), 2).map(([a, b]): Pair => [a ?? testParty(1), b ?? testParty(2)]);
    return fc.tuple(fc.constant(size), fc.integer({ min: 2, max: size }), fc.shuffledSubarray(all));
  });
  fc.assert(
    fc.property(sample, ([size, count, pairs]) => {
      const chosen = quorumWithoutPairs(testParties(size), count, pairs);
      expect(new Set(chosen).size).toBe(count);
      const best = Math.min(...choices(testParties(size), count).map((choice) => worst(choice, pairs)));
      expect(worst(chosen, pairs)).toBe(best);
    }),
  );
});

test("the largest roster with as many liars as it bears is answered", () => {
  const [liars, honest] = [testParties(64).slice(0, 31), testParties(64).slice(31)];
  const pairs = liars.flatMap((liar) => honest.map((other): Pair => [liar, other]));
  expect(quorumWithoutPairs(testParties(64), 33, pairs)).toEqual(honest);
});
