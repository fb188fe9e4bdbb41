import { organisationIdSchema, transferIdSchema } from "@conclave/custody";
import { freshId } from "@conclave/platform";
import { processWorld } from "@conclave/platform/world";
import { beforeEach, describe, expect, it } from "vitest";
import { type Looking, openLooking } from "./looking.ts";
import type { DueLook } from "./turns.ts";

const freshOrganisation = () => freshId(organisationIdSchema, "or");
const [slow, other] = [freshOrganisation(), freshOrganisation()];
const dueOf = (count: number, orgId = slow, isFirst = false): readonly DueLook[] =>
  Array.from({ length: count }, () => ({
    id: freshId(transferIdSchema, "xfr"),
    orgId,
    cause: "landed",
    isFirst,
  }));

let looking: Looking;
let nowMs: number;
/** ids of the requests that were looked at, in order */
let begun: string[];
/** by id, functions that end the looks under way */
let ends: Map<string, () => void>;

beforeEach(() => {
  [nowMs, begun, ends] = [0, [], new Map()];
  looking = openLooking({
    world: { ...processWorld, monotonicMs: () => nowMs },
    look: ({ id }) =>
      new Promise((resolve) => {
        begun.push(id);
        ends.set(id, resolve);
      }),
  });
});
const end = (id: string): void => {
  ends.get(id)?.();
  ends.delete(id);
};
/** Ends all looks, including those that begin meanwhile, until none is left. */
const endAll = async (): Promise<void> => {
  const looked = looking.looked().then(() => "looked");
  const ticked = () => new Promise<string>((resolve) => setImmediate(resolve, "not yet"));
  do for (const id of ends.keys()) end(id);
  while ((await Promise.race([looked, ticked()])) !== "looked");
};
const begunOf = (due: readonly DueLook[]): number => due.filter(({ id }) => begun.includes(id)).length;

describe("looks at requests", () => {
  it("INV-5 of one organisation leave places to others, although none of them ends", async () => {
    const [many, one] = [dueOf(64), dueOf(1, other)];
    looking.begin(many);
    await expect.poll(() => begunOf(many)).toBe(4);
    looking.begin(one);
    await expect.poll(() => begunOf(one)).toBe(1);
    expect(begunOf(many)).toBe(4);
    await endAll();
    expect(begunOf(many)).toBe(64);
  });

  it("INV-5 of seven organisations, none of which ends, leave a place to the next one", async () => {
    const slowOnes = Array.from({ length: 7 }, () => dueOf(64, freshOrganisation()));
    for (const due of slowOnes) looking.begin(due);
    const last = dueOf(1, other);
    looking.begin(last);
    await expect.poll(() => begunOf(last)).toBe(1);
    await endAll();
  });

  it("of one organisation begin with those that go first", async () => {
    const [many, news] = [dueOf(8), dueOf(1, slow, true)];
    looking.begin(many);
    looking.begin(news);
    await expect.poll(() => begun.length).toBe(4);
    const [oldest = ""] = begun;
    end(oldest);
    await expect.poll(() => begun.length).toBe(5);
    expect(begunOf(news)).toBe(1);
    await endAll();
  });

  it("have their requests in hand until they end, and are reported once, with when they ended", async () => {
    const due = dueOf(2);
    const [first, second] = due.map(({ id }) => id);
    looking.begin(due);
    await expect.poll(() => begun.length).toBe(2);
    expect([...looking.inHand()]).toEqual([first, second]);
    expect(looking.takeEnded()).toEqual([]);
    nowMs = 500;
    end(first ?? "");
    await expect.poll(() => [...looking.inHand()]).toEqual([second]);
    expect(looking.takeEnded()).toEqual([{ id: first, cause: "landed", endedMs: 500 }]);
    expect(looking.takeEnded()).toEqual([]);
    await endAll();
    expect(looking.takeEnded()).toHaveLength(1);
  });

  it("are waited for by a stop while they are under way, and those in line begin no more", async () => {
    looking.begin(dueOf(8));
    await expect.poll(() => begun.length).toBe(4);
    let hasStopped = false;
    const stopping = looking.stop().then(() => {
      hasStopped = true;
    });
    looking.begin(dueOf(1, other));
    for (const id of begun.slice(1)) end(id);
    await expect.poll(() => looking.inHand().size).toBe(1);
    expect(hasStopped).toBe(false);
    for (const id of begun) end(id);
    await stopping;
    expect([begun.length, looking.inHand().size]).toEqual([4, 0]);
  });
});
