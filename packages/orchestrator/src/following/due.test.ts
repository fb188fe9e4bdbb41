import { transferIdSchema } from "@conclave/custody";
import { type FollowedRequest, freshId } from "@conclave/platform";
import { describe, expect, it } from "vitest";
import { dueOf, type Known, OPEN_AGAIN_MS, SETTLED_AGAIN_MS } from "./due.ts";
import { afterLooks, LOOKS_A_ROUND } from "./turns.ts";

const request = (more: Partial<FollowedRequest> = {}): FollowedRequest => {
  const id = freshId(transferIdSchema, "xfr");
  return {
    id,
    status: "Broadcasted",
    txHash: `0x${id}`,
    blockNumber: undefined,
    blockHash: undefined,
    ...more,
  };
};
const settled = (blockNumber: bigint, blockHash: string) =>
  request({ status: "Confirmed", blockNumber, blockHash });
const known = (more: Partial<Known>): Known => ({
  followed: [],
  view: [],
  confirmedHeight: 0n,
  looks: new Map(),
  nowMs: 0,
  ...more,
});
const blockHolding = (height: bigint, ...held: readonly FollowedRequest[]) => ({
  height,
  hash: `a${height}`,
  parentHash: `a${height - 1n}`,
  holds: held.map(({ txHash }) => txHash),
});

describe("which requests are looked at", () => {
  it("those whose block is confirmed are, at once and each round; those in younger blocks are not", () => {
    const [old, young, unseen] = [request(), request(), request()];
    const view = [blockHolding(7n, old), blockHolding(8n, young)];
    const looks = new Map([old, young, unseen].map(({ id }) => [id, 0] as const));
    const followed = [young, unseen, old];
    expect(dueOf(known({ followed, view, confirmedHeight: 7n, looks }))).toEqual({
      broadcasted: [old.id],
      settled: [],
    });
  });

  it("those that no block tells of have their turns, the longest waiting first, so many a round", () => {
    const many = Array.from({ length: 3 * LOOKS_A_ROUND }, () => request());
    const listed = new Set<string>(many.map(({ id }) => id));
    const seen = new Map<string, number>();
    let looks: Known["looks"] = new Map();
    for (let round = 0; round < 3; round += 1) {
      const { broadcasted } = dueOf(known({ followed: many, looks, nowMs: round }));
      expect(broadcasted).toHaveLength(LOOKS_A_ROUND);
      for (const id of broadcasted) seen.set(id, (seen.get(id) ?? 0) + 1);
      looks = afterLooks(looks, listed, broadcasted, round);
    }
    expect([seen.size, Math.max(...seen.values())]).toEqual([many.length, 1]);
    expect(dueOf(known({ followed: many, looks, nowMs: 3 })).broadcasted).toEqual([]);
    expect(dueOf(known({ followed: many, looks, nowMs: OPEN_AGAIN_MS })).broadcasted).toEqual(
      many.slice(0, LOOKS_A_ROUND).map(({ id }) => id),
    );
  });

  it("those that are looked at again have their turns however many new ones come in each round", () => {
    const lost = request();
    let looks: Known["looks"] = new Map([[lost.id, 0]]);
    const looked: string[] = [];
    for (let round = 1; round < 60; round += 1) {
      const followed = [lost, ...Array.from({ length: 2 * LOOKS_A_ROUND }, () => request())];
      const nowMs = round * 250;
      const { broadcasted } = dueOf(known({ followed, looks, nowMs }));
      looked.push(...broadcasted);
      looks = afterLooks(looks, new Set(followed.map(({ id }) => id)), broadcasted, nowMs);
    }
    expect(looked).toContain(lost.id);
  });

  it("those that blocks tell of and that are never settled keep none of the others from being looked at", () => {
    const stuck = Array.from({ length: 1_000 }, () => request());
    const view = [blockHolding(7n, ...stuck)];
    const listed = new Set<string>(stuck.map(({ id }) => id));
    const seen = new Set<string>();
    let looks: Known["looks"] = new Map();
    for (let round = 0; round < 4; round += 1) {
      const at = { followed: stuck, view, confirmedHeight: 7n, looks, nowMs: round };
      const { broadcasted } = dueOf(known(at));
      for (const id of broadcasted) seen.add(id);
      looks = afterLooks(looks, listed, broadcasted, round);
    }
    expect(seen.size).toBe(stuck.length);
  });

  it("a settled one is once another block stands in the place of its own, and in turn where no block was read", () => {
    const [stands, undone, deep] = [settled(7n, "a7"), settled(8n, "b8"), settled(2n, "a2")];
    const view = [blockHolding(7n), blockHolding(8n)];
    const followed = [stands, undone, deep];
    const first = dueOf(known({ followed, view }));
    expect(first).toEqual({ broadcasted: [], settled: [undone.id, deep.id] });
    const looks = afterLooks(new Map(), new Set(followed.map(({ id }) => id)), first.settled, 0);
    expect(dueOf(known({ followed, view, looks, nowMs: 1 })).settled).toEqual([undone.id]);
    expect(dueOf(known({ followed, view, looks, nowMs: SETTLED_AGAIN_MS })).settled).toContain(deep.id);
  });

  it("one that is signed and not sent yet is nobody's to settle", () => {
    const executing = request({ status: "Executing" });
    const view = [blockHolding(7n, executing)];
    expect(dueOf(known({ followed: [executing], view, confirmedHeight: 9n }))).toEqual({
      broadcasted: [],
      settled: [],
    });
  });

  it("looks of those that are followed no more are forgotten", () => {
    expect([...afterLooks(new Map([["gone", 1]]), new Set(["new"]), ["new"], 2)]).toEqual([["new", 2]]);
  });
});
