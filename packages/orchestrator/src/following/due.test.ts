import { organisationIdSchema, transferIdSchema } from "@conclave/custody";
import { type FollowedRequest, freshId } from "@conclave/platform";
import { describe, expect, it } from "vitest";
import { dueOf, type Known } from "./due.ts";
import {
  afterLooks,
  type DueLook,
  LOOKS_A_ROUND,
  type LookCause,
  OPEN_AGAIN_MS,
  SETTLED_AGAIN_MS,
} from "./turns.ts";

const freshOrganisation = () => freshId(organisationIdSchema, "or");
const acme = freshOrganisation();
const request = (more: Partial<FollowedRequest> = {}): FollowedRequest => {
  const id = freshId(transferIdSchema, "xfr");
  return {
    id,
    orgId: acme,
    status: "Broadcasted",
    txHash: `0x${id}`,
    blockNumber: undefined,
    blockHash: undefined,
    ...more,
  };
};
const requests = (count: number, more: Partial<FollowedRequest> = {}) =>
  Array.from({ length: count }, () => request(more));
const settled = (blockNumber: bigint, blockHash: string) =>
  request({ status: "Confirmed", blockNumber, blockHash });
const known = (more: Partial<Known>): Known => ({
  followed: [],
  view: [],
  confirmedHeight: 0n,
  looks: new Map(),
  inHand: new Set(),
  nowMs: 0,
  ...more,
});
const blockHolding = (height: bigint, ...held: readonly FollowedRequest[]) => ({
  height,
  hash: `a${height}`,
  parentHash: `a${height - 1n}`,
  holds: held.map(({ txHash }) => txHash),
});
const due = (more: Partial<Known>) => dueOf(known(more)).map(({ id, cause }) => [cause, id] as const);
const ids = (looks: readonly DueLook[]) => looks.map(({ id }) => id);
const listedOf = (followed: readonly FollowedRequest[]) => new Set<string>(followed.map(({ id }) => id));
/** The looks after these have all ended at once. */
const ended = (
  looks: Known["looks"],
  followed: readonly FollowedRequest[],
  due: readonly DueLook[],
  endedMs: number,
) =>
  afterLooks(
    looks,
    listedOf(followed),
    due.map(({ id, cause }) => ({ id, cause, endedMs })),
    endedMs,
  );
/** The times at which a request is looked at, if each look has the same cause and ends at once. */
const momentsOf = (at: Partial<Known>, untilMs: number): readonly number[] => {
  const moments: number[] = [];
  let looks: Known["looks"] = new Map();
  for (let nowMs = 0; nowMs <= untilMs; nowMs += 500) {
    const begun = dueOf(known({ ...at, looks, nowMs }));
    if (begun.length > 0) moments.push(nowMs);
    looks = ended(looks, at.followed ?? [], begun, nowMs);
  }
  return moments;
};

describe("which requests are looked at", () => {
  it("those whose block is confirmed are, at once; those in younger blocks are not", () => {
    const [old, young, unseen] = [request(), request(), request()];
    const view = [blockHolding(7n, old), blockHolding(8n, young)];
    const followed = [young, unseen, old];
    const looks = ended(
      new Map(),
      followed,
      followed.map(({ id, orgId }) => ({ id, orgId, cause: "unseen", isFirst: false })),
      0,
    );
    expect(due({ followed, view, confirmedHeight: 7n, looks })).toEqual([["landed", old.id]]);
  });

  it("those that no block tells of have their turns, the longest waiting first, so many a round", () => {
    const many = requests(3 * LOOKS_A_ROUND);
    const seen = new Map<string, number>();
    let looks: Known["looks"] = new Map();
    for (let round = 0; round < 3; round += 1) {
      const begun = dueOf(known({ followed: many, looks, nowMs: round }));
      expect(begun).toHaveLength(LOOKS_A_ROUND);
      for (const { id } of begun) seen.set(id, (seen.get(id) ?? 0) + 1);
      looks = ended(looks, many, begun, round);
    }
    expect([seen.size, Math.max(...seen.values())]).toEqual([many.length, 1]);
    expect(due({ followed: many, looks, nowMs: 3 })).toEqual([]);
    expect(ids(dueOf(known({ followed: many, looks, nowMs: OPEN_AGAIN_MS })))).toEqual(
      many.slice(0, LOOKS_A_ROUND).map(({ id }) => id),
    );
  });

  it("those that are looked at again have their turns however many new ones come in each round", () => {
    const lost = request();
    let looks: Known["looks"] = new Map([[lost.id, { endedMs: 0, cause: "unseen", inARow: 1 }]]);
    const looked: string[] = [];
    for (let round = 1; round < 60; round += 1) {
      const followed = [lost, ...requests(2 * LOOKS_A_ROUND)];
      const nowMs = round * 250;
      const begun = dueOf(known({ followed, looks, nowMs }));
      looked.push(...ids(begun));
      looks = ended(looks, followed, begun, nowMs);
    }
    expect(looked).toContain(lost.id);
  });

  it("those that blocks tell of and that are never settled keep none of the others from being looked at", () => {
    const stuck = requests(1_000);
    const view = [blockHolding(7n, ...stuck)];
    const seen = new Set<string>();
    let looks: Known["looks"] = new Map();
    for (let round = 0; round < 8; round += 1) {
      const begun = dueOf(known({ followed: stuck, view, confirmedHeight: 7n, looks, nowMs: round }));
      for (const { id } of begun) seen.add(id);
      looks = ended(looks, stuck, begun, round);
    }
    expect(seen.size).toBe(stuck.length);
  });

  it("a settled one is once another block stands in the place of its own, and in turn where no block was read", () => {
    const [stands, undone, deep] = [settled(7n, "a7"), settled(8n, "b8"), settled(2n, "a2")];
    const view = [blockHolding(7n), blockHolding(8n)];
    const followed = [stands, undone, deep];
    const first = dueOf(known({ followed, view }));
    expect(ids(first)).toEqual([undone.id, deep.id]);
    const looks = ended(new Map(), followed, first, 0);
    expect(due({ followed, view, looks, nowMs: SETTLED_AGAIN_MS - 1 })).toEqual([["undone", undone.id]]);
    expect(due({ followed, view, looks, nowMs: SETTLED_AGAIN_MS })).toContainEqual(["unknown", deep.id]);
  });

  it("one that is signed and not sent yet is nobody's to settle", () => {
    const executing = request({ status: "Executing" });
    const view = [blockHolding(7n, executing)];
    expect(due({ followed: [executing], view, confirmedHeight: 9n })).toEqual([]);
  });

  it("one that is in hand is looked at by nobody else", () => {
    const [landed, unseen] = [request(), request()];
    const view = [blockHolding(7n, landed)];
    const at = { followed: [landed, unseen], view, confirmedHeight: 7n };
    expect(due({ ...at, inHand: new Set([landed.id]) })).toEqual([["unseen", unseen.id]]);
    expect(due({ ...at, inHand: new Set([unseen.id]) })).toEqual([["landed", landed.id]]);
  });

  it("looks of those that are followed no more are forgotten, also those that end after that", () => {
    const look = { endedMs: 1, cause: "landed", inARow: 1 } as const;
    const [gone, late, kept] = [request(), request(), request()];
    const begun = [late, kept].map(({ id, orgId }) => ({ id, orgId, cause: look.cause, isFirst: true }));
    expect([...ended(new Map([[gone.id, look]]), [kept], [], 1).keys()]).toEqual([kept.id]);
    expect([...ended(new Map(), [kept], begun, 1)]).toEqual([[kept.id, look]]);
  });
});

describe("INV-5 turns of organisations", () => {
  const others = Array.from({ length: 3 }, freshOrganisation);
  const orgs = (looks: readonly DueLook[]) => looks.map(({ orgId }) => orgId);
  const oneEach = () => others.map((orgId) => request({ orgId }));
  const settledOf = (orgId = acme) =>
    request({ orgId, status: "Confirmed", blockNumber: 8n, blockHash: "b8" });

  const WAYS: readonly [LookCause, (followed: readonly FollowedRequest[]) => Partial<Known>][] = [
    ["landed", (followed) => ({ followed, view: [blockHolding(7n, ...followed)], confirmedHeight: 7n })],
    ["unseen", (followed) => ({ followed })],
    [
      "undone",
      (followed) => ({
        followed: followed.map(({ id, orgId }) => ({ ...settledOf(orgId), id })),
        view: [blockHolding(8n)],
      }),
    ],
    ["unknown", (followed) => ({ followed: followed.map(({ id, orgId }) => ({ ...settledOf(orgId), id })) })],
  ];

  it.each(WAYS)("go round in each round, however many one has: %s", (cause, at) => {
    const begun = dueOf(known(at([...requests(1_000), ...oneEach()])));
    expect(begun.map((look) => look.cause)).toEqual(begun.map(() => cause));
    expect(orgs(begun.slice(0, 4)).toSorted()).toEqual([acme, ...others].toSorted());
    expect(new Set(orgs(begun.slice(4)))).toEqual(new Set([acme]));
  });

  it("leave of each round's room as much to the one as to the other", () => {
    const [other = acme] = others;
    const begun = dueOf(known({ followed: [...requests(50), ...requests(50, { orgId: other })] }));
    expect(begun).toHaveLength(LOOKS_A_ROUND);
    expect(orgs(begun).filter((orgId) => orgId === other)).toHaveLength(LOOKS_A_ROUND / 2);
  });

  it("go to the one that was served longest ago, where there are more than a round has room for", () => {
    const busy = Array.from({ length: LOOKS_A_ROUND }, freshOrganisation);
    const many = busy.flatMap((orgId) => requests(100, { orgId }));
    const single = request();
    const followed = [...many, single];
    let looks: Known["looks"] = new Map();
    const rounds: number[] = [];
    for (let round = 0; round < 20; round += 1) {
      const nowMs = round * 1_000;
      const begun = dueOf(known({ followed, looks, nowMs }));
      if (ids(begun).includes(single.id)) rounds.push(round);
      looks = ended(looks, followed, begun, nowMs);
    }
    // every second round it was served before the others: those of the round before stand behind it
    expect(rounds.length).toBeGreaterThanOrEqual(9);
  });

  it("count those in hand: so many of one are under way or in line", () => {
    const followed = requests(400);
    const view = [blockHolding(7n, ...followed)];
    const begun = dueOf(known({ followed, view, confirmedHeight: 7n }));
    const inHand = new Set<string>(ids(begun.slice(8)));
    const next = dueOf(known({ followed, view, confirmedHeight: 7n, inHand }));
    expect(next).toHaveLength(8);
  });
});

describe("a request that looks change nothing of", () => {
  const [landed, undone] = [request(), settled(8n, "b8")];
  const LANDED = { followed: [landed], view: [blockHolding(7n, landed)], confirmedHeight: 7n };
  const UNDONE = { followed: [undone], view: [blockHolding(8n)] };
  const UNSEEN = { followed: [landed] };
  /** The first look comes at once, the next after a second, and each later one after twice the pause, up to half a minute. */
  const MOMENTS = [0, 1_000, 3_000, 7_000, 15_000, 31_000, 61_000, 91_000];

  it.each([
    ["has landed", LANDED],
    ["is undone", UNDONE],
  ])("is looked at after longer and longer pauses, while blocks tell that it %s", (_, at) => {
    expect(momentsOf(at, 100_000)).toEqual(MOMENTS);
  });

  it("is looked at once a second while no block tells of it", () => {
    expect(momentsOf(UNSEEN, 4_000)).toEqual([0, 1_000, 2_000, 3_000, 4_000]);
  });

  it("waits from the end of a look, and not from when it began", () => {
    const looks = afterLooks(
      new Map(),
      new Set([landed.id]),
      [{ id: landed.id, cause: "landed", endedMs: 9_000 }],
      0,
    );
    expect(due({ ...LANDED, looks, nowMs: 9_999 })).toEqual([]);
    expect(due({ ...LANDED, looks, nowMs: 10_000 })).toHaveLength(1);
  });

  it("is looked at at once when blocks tell something else, and its pauses begin anew", () => {
    const often: Known["looks"] = new Map([[landed.id, { endedMs: 0, cause: "landed", inARow: 9 }]]);
    expect(due({ ...LANDED, looks: often, nowMs: 29_999 })).toEqual([]);
    const [unseen] = dueOf(known({ ...UNSEEN, looks: often, nowMs: 1_000 }));
    expect(unseen).toMatchObject({ id: landed.id, cause: "unseen" });
    const looks = ended(often, [landed], unseen === undefined ? [] : [unseen], 1_000);
    expect(due({ ...LANDED, looks, nowMs: 1_000 })).toEqual([["landed", landed.id]]);
  });

  it("goes before others of its organisation the first time that blocks tell of it, and not again", () => {
    const isFirst = (at: Partial<Known>) =>
      dueOf(known({ nowMs: 60_000, ...at })).map((look) => look.isFirst);
    const looks: Known["looks"] = new Map([[landed.id, { endedMs: 0, cause: "landed", inARow: 1 }]]);
    expect([isFirst(LANDED), isFirst(UNDONE), isFirst(UNSEEN)]).toEqual([[true], [true], [false]]);
    expect(isFirst({ ...LANDED, looks })).toEqual([false]);
  });
});
