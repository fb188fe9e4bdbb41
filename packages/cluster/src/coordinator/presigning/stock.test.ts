import type { PartyIndex } from "@conclave/threshold";
import { testParties, testParty } from "@conclave/threshold/testing";
import { describe, expect, test } from "vitest";
import { type PresignatureSet, setName } from "../../signer/presigning/pool.ts";
import { keyIdOf } from "../../testing/fixtures.ts";
import { nextToFill, type StockConfig, type StockView, stockSets } from "./stock.ts";

const parties = testParties(5);
const everybody = new Set(parties);
const [first, second] = [keyIdOf(1), keyIdOf(2)];

const config: StockConfig = {
  parties,
  threshold: 3,
  lowWater: 1,
  highWater: 2,
  totalMax: 100,
  atOnceMax: 1,
};

/** Wanted keys, each with half the weight of the previous one. */
const wanting = (...keyIds: readonly string[]) => keyIds.map((keyId, at) => ({ keyId, weight: 2 ** -at }));

const view = (change: Partial<StockView> = {}): StockView => ({
  usable: everybody,
  isApart: () => false,
  slowness: () => 0,
  hasFailed: () => false,
  keys: wanting(first),
  inventory: [],
  underWay: [],
  live: "none",
  begunSince: 0,
  filling: new Set(),
  ...change,
});

const set = (keyId: string, ...signers: readonly number[]): PresignatureSet => ({
  keyId,
  signers: signers.map(testParty),
});

const windowsOf = (n: number, t: number, usable: readonly PartyIndex[] = testParties(n)) =>
  stockSets({ parties: testParties(n), threshold: t }, new Set(usable));

/** Fills until the policy wants nothing more. */
const fill = (start: StockView, by = config): readonly PresignatureSet[] => {
  const made: PresignatureSet[] = [];
  let { filling } = start;
  for (;;) {
    const decision = nextToFill(by, { ...start, filling, inventory: [...start.inventory, ...made] });
    filling = decision.filling;
    if (decision.next === undefined) return made;
    made.push(decision.next);
  }
};

describe("the sets that are stocked", () => {
  test("are the windows of neighbours on the ring", () => {
    expect(windowsOf(5, 3).map(String)).toEqual(["1,2,3", "2,3,4", "3,4,5", "1,4,5", "1,2,5"]);
    expect(windowsOf(3, 3).map(String)).toEqual(["1,2,3"]);
  });

  test.each([
    [3, 2],
    [4, 2],
    [4, 3],
    [5, 3],
    [7, 3],
    [7, 5],
    [9, 5],
  ])("of %i signers with a threshold of %i leave one without any one signer", (n, t) => {
    for (const dead of testParties(n)) {
      expect(windowsOf(n, t).some((signers) => !signers.includes(dead))).toBe(true);
    }
  });

  test("leave one without each pair of neighbours, and of seven signers without any pair", () => {
    const without = (n: number, t: number, ...dead: readonly number[]) =>
      windowsOf(n, t).filter((signers) => !signers.some((signer) => dead.includes(signer))).length;
    expect(without(5, 3, 1, 2)).toBe(1);
    expect(without(5, 3, 1, 3)).toBe(0);
    for (const a of testParties(7))
      for (const b of testParties(7)) expect(without(7, 3, a, b)).toBeGreaterThan(0);
  });

  test("are of live signers alone, and of those that are left when every window lost somebody", () => {
    expect(windowsOf(5, 3, [1, 3, 4, 5].map(testParty)).map(String)).toEqual(["3,4,5", "1,4,5"]);
    expect(windowsOf(5, 3, [2, 4, 5].map(testParty)).map(String)).toEqual(["2,4,5"]);
    expect(windowsOf(5, 3, [2, 4].map(testParty))).toEqual([]);
  });
});

describe("the choice of presignatures to make next", () => {
  test("fills all sets of all keys evenly, the most wanted key first, after those that have nothing", () => {
    const made = fill(view({ keys: wanting(first, second) }), { ...config, lowWater: 2 });
    expect(made).toHaveLength(20);
    const round = made.slice(0, 10).map(setName);
    expect(new Set(round).size).toBe(10);
    const keys = made.slice(0, 10).map(({ keyId }) => keyId);
    expect(keys).toEqual([first, second, ...Array(4).fill(first), ...Array(4).fill(second)]);
  });

  test("leaves the sets that just failed for the end", () => {
    const failed = set(first, 1, 2, 3);
    const made = fill(view({ hasFailed: (each) => setName(each) === setName(failed) }));
    expect(made).toHaveLength(10);
    expect(made.slice(-2)).toEqual([failed, failed]);
  });

  test("begins below the low mark and ends at the high one", () => {
    const full = windowsOf(5, 3).flatMap((signers) => [set(first, ...signers), set(first, ...signers)]);
    expect(fill(view({ inventory: full }))).toEqual([]);
    const [, ...one] = full; // between the marks: nothing to make
    expect(fill(view({ inventory: one }))).toEqual([]);
    const [, , ...none] = full; // a set ran out: it is filled to the high mark
    expect(fill(view({ inventory: none }))).toEqual([set(first, 1, 2, 3), set(first, 1, 2, 3)]);
  });

  test("is nothing while there is live work, at the limits, or without a quorum", () => {
    expect(nextToFill(config, view({ live: "now" })).next).toBeUndefined();
    expect(nextToFill({ ...config, totalMax: 0 }, view()).next).toBeUndefined();
    expect(nextToFill(config, view({ underWay: [set(second, 1, 2, 3)] })).next).toBeUndefined();
    expect(nextToFill(config, view({ usable: new Set(parties.slice(0, 2)) })).next).toBeUndefined();
    expect(nextToFill(config, view({ keys: [] })).next).toBeUndefined();
  });

  test("is only what lies below the low mark shortly after live work, and the rest is not forgotten", () => {
    const [, , ...without] = windowsOf(5, 3).flatMap((signers) => [
      set(first, ...signers),
      set(first, ...signers),
    ]);
    const below = nextToFill(config, view({ inventory: without, live: "lately" }));
    expect(below.next).toEqual(set(first, 1, 2, 3));
    const between = view({ inventory: [...without, set(first, 1, 2, 3)], filling: below.filling });
    const lately = nextToFill(config, { ...between, live: "lately" });
    expect(lately.next).toBeUndefined();
    expect(nextToFill(config, { ...between, filling: lately.filling }).next).toEqual(set(first, 1, 2, 3));
  });

  test("INV-7 is nothing for two signers that failed together, unless there are only such sets", () => {
    const isApart = (signers: readonly PartyIndex[]) =>
      [2, 3].every((each) => signers.includes(testParty(each)));
    const made = fill(view({ isApart })).map(({ signers }) => String(signers));
    expect(new Set(made)).toEqual(new Set(["3,4,5", "1,4,5", "1,2,5"]));
    expect(fill(view({ isApart: () => true }))).toHaveLength(10);
  });

  test("is for faster signers first among sets that have as many, and leaves no set out", () => {
    const slowness = (signers: readonly PartyIndex[]) => (signers.includes(testParty(2)) ? 1 : 0);
    const made = fill(view({ slowness })).map(({ signers }) => String(signers));
    expect(made.slice(0, 5)).toEqual(["3,4,5", "1,4,5", "1,2,3", "2,3,4", "1,2,5"]);
    expect(made).toHaveLength(10);
  });

  test("counts what is in the making as if it were there", () => {
    const decision = nextToFill({ ...config, atOnceMax: 2 }, view({ underWay: [set(first, 1, 2, 3)] }));
    expect(decision.next).toEqual(set(first, 2, 3, 4));
  });

  test("is the stock's share once enough signatures began, however long live work goes on", () => {
    const asked = (live: StockView["live"], begunSince: number, inventory: readonly PresignatureSet[] = []) =>
      nextToFill(config, view({ live, begunSince, inventory })).next;
    expect([0, 1, 2, 3].map((begun) => asked("now", begun))).toEqual(Array(4).fill(undefined));
    expect(asked("now", 4)).toEqual(set(first, 1, 2, 3));
    const full = windowsOf(5, 3).flatMap((signers) => [set(first, ...signers), set(first, ...signers)]);
    expect(asked("now", 100, full)).toBeUndefined();
  });

  test("is also above the low mark when the share of a client that asks again and again is due", () => {
    const inventory = windowsOf(5, 3).map((signers) => set(first, ...signers));
    const filling = new Set(inventory.map(setName));
    const asked = (begunSince: number) =>
      nextToFill(config, view({ inventory, filling, live: "lately", begunSince })).next;
    expect([asked(3), asked(4)]).toEqual([undefined, set(first, 1, 2, 3)]);
  });

  test("is what live signers can use, whatever those that are away hold", () => {
    const inventory = Array.from({ length: 10 }, () => set(first, 1, 2, 3));
    const usable = new Set([1, 3, 4, 5].map(testParty));
    expect(nextToFill(config, view({ inventory, usable })).next).toEqual(set(first, 3, 4, 5));
  });

  test("makes room for a key that has nothing, at the cost of the key that nobody uses, and of nothing else", () => {
    const [unused, used] = [second, first];
    const inventory = windowsOf(5, 3).flatMap((signers) => [
      set(unused, ...signers),
      set(unused, ...signers),
    ]);
    const full = { ...config, totalMax: 10 };
    const step = nextToFill(full, view({ keys: wanting(used), inventory }));
    expect(step).toMatchObject({ next: set(used, 1, 2, 3), evict: { keyId: unused } });
    const shared = [
      ...windowsOf(5, 3).map((signers) => set(used, ...signers)),
      ...windowsOf(5, 3).map((signers) => set(unused, ...signers)),
    ];
    const keys = [used, unused].map((keyId) => ({ keyId, weight: 1 }));
    const settled = nextToFill(full, view({ keys, inventory: shared }));
    expect([settled.next, settled.evict]).toEqual([undefined, undefined]);
  });

  test("is nothing of a key that is not wanted while the stock has room: what is there stays", () => {
    const inventory = [set(second, 1, 2, 3)];
    const made = fill(view({ inventory }));
    expect(made.every(({ keyId }) => keyId === first)).toBe(true);
    expect(nextToFill(config, view({ inventory })).evict).toBeUndefined();
  });

  test("goes on where it was when live work is over", () => {
    const busy = nextToFill(config, view({ live: "now" }));
    expect(busy.filling.size).toBe(5);
    const inventory = windowsOf(5, 3).map((signers) => set(first, ...signers));
    const after = nextToFill(config, view({ inventory, filling: busy.filling }));
    expect(after.next).toEqual(set(first, 1, 2, 3));
  });
});
