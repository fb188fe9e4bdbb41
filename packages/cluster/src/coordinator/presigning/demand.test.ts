import { expect, test } from "vitest";
import { keyIdOf, START_MS } from "../../testing/fixtures.ts";
import { type Demand, wantedKeys, withUse } from "./demand.ts";

const HOUR_MS = 60 * 60_000;
const [quiet, busy] = [keyIdOf(1), keyIdOf(2)];
const NOBODY: Demand = new Map();

const used = (demand: Demand, keyId: string, times: number, nowMs = START_MS): Demand =>
  Array.from({ length: times }).reduce<Demand>((sum) => withUse(sum, keyId, 1, nowMs), demand);

const namesAt = (demand: Demand, nowMs: number): readonly string[] =>
  wantedKeys(demand, nowMs).map(({ keyId }) => keyId);

test("the key that is used more is wanted more, whichever was last", () => {
  const demand = used(used(NOBODY, busy, 3), quiet, 1);
  expect(wantedKeys(demand, START_MS)).toEqual([
    { keyId: busy, weight: 3 },
    { keyId: quiet, weight: 1 },
  ]);
});

test("a use counts half after an hour: what was busy once makes way for what is used now", () => {
  const before = used(NOBODY, busy, 3);
  expect(wantedKeys(before, START_MS + HOUR_MS)[0]?.weight).toBeCloseTo(1.5);
  const later = used(before, quiet, 1, START_MS + 2 * HOUR_MS);
  expect(namesAt(later, START_MS + 2 * HOUR_MS)).toEqual([quiet, busy]);
});

test("a transaction that takes several presignatures counts as often", () => {
  const demand = withUse(withUse(NOBODY, quiet, 1, START_MS), busy, 3, START_MS);
  expect(namesAt(demand, START_MS)).toEqual([busy, quiet]);
});

test("a key that nobody has used for long is wanted no more, but for the last few", () => {
  const demand = Array.from({ length: 6 }, (_, at) => keyIdOf(at)).reduce(
    (sum, keyId, at) => withUse(sum, keyId, at + 1, START_MS),
    NOBODY,
  );
  expect(namesAt(demand, START_MS + 5 * HOUR_MS)).toHaveLength(6);
  expect(namesAt(demand, START_MS + 24 * HOUR_MS)).toEqual([5, 4, 3, 2].map(keyIdOf));
});

test("a clock that goes back makes nothing more wanted than it was", () => {
  const demand = used(NOBODY, busy, 1);
  expect(wantedKeys(demand, START_MS - HOUR_MS)[0]?.weight).toBe(1);
});

test("no more than 1024 keys are remembered: the least wanted is forgotten", () => {
  let demand = used(NOBODY, busy, 2);
  for (let at = 10; at < 1_100; at++) demand = withUse(demand, keyIdOf(at), 1, START_MS + at);
  expect(demand.size).toBe(1_024);
  expect(demand.has(busy)).toBe(true);
  expect(demand.has(keyIdOf(10))).toBe(false);
});
