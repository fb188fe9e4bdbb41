import { type World, walletIdSchema } from "@conclave/custody";
import { describe, expect, it } from "vitest";

/** A world under test. */
export interface TriedWorld {
  readonly world: World;
  /** lets time pass until the condition holds */
  readonly until: (condition: () => boolean) => Promise<void>;
}

/** long enough for a process to make two timers within it */
const SOON_MS = 30;
const LATER_MS = 60;
const DRAWS = 500;

/** Lets time pass until all tasks before this time have run. */
const pass = async ({ world, until }: TriedWorld, ms: number): Promise<void> => {
  let isOver = false;
  world.after(ms, () => {
    isOver = true;
  });
  await until(() => isOver);
};

/** The tests for every World, of a process or virtual: of order and end, never of duration. */
export const describeWorld = (name: string, open: () => TriedWorld): void => {
  describe(`${name} as a world`, () => {
    describe("time", () => timeTests(open));
    describe("sleep", () => sleepTests(open));
    describe("chance", () => chanceTests(open));
  });
};

const timeTests = (open: () => TriedWorld): void => {
  it("tells whole Unix milliseconds, and a second clock that never goes back", async () => {
    const tried = open();
    const { nowMs, monotonicMs } = tried.world;
    expect(nowMs()).toSatisfy(Number.isSafeInteger);
    const before = monotonicMs();
    await pass(tried, 1);
    expect(monotonicMs()).toBeGreaterThanOrEqual(before);
  });

  it("runs nothing before who asked for it has returned", async () => {
    const { world, until } = open();
    const heard: string[] = [];
    for (const ms of [0, -1]) world.after(ms, () => heard.push("ran"));
    heard.push("returned");
    await until(() => heard.length === 3);
    expect(heard).toEqual(["returned", "ran", "ran"]);
  });

  it("runs what is due earlier first, and of one time what was asked for first, each once", async () => {
    const tried = open();
    const heard: string[] = [];
    for (const [ms, what] of [
      [SOON_MS, "late"],
      [1, "early"],
      [1, "early too"],
    ] as const)
      tried.world.after(ms, () => heard.push(what));
    await pass(tried, LATER_MS);
    expect(heard).toEqual(["early", "early too", "late"]);
  });

  it("runs nothing that was stopped, and takes a stop at any time", async () => {
    const tried = open();
    const heard: string[] = [];
    const never = tried.world.after(1, () => heard.push("never"));
    const once = tried.world.after(1, () => heard.push("once"));
    never.stop();
    await pass(tried, SOON_MS);
    never.stop();
    once.stop();
    expect(heard).toEqual(["once"]);
  });

  it("runs again and again what is to run again and again, until it is stopped from outside", async () => {
    const tried = open();
    let times = 0;
    const timer = tried.world.every(1, () => {
      times += 1;
    });
    await tried.until(() => times >= 3);
    timer.stop();
    const stoppedAt = times;
    await pass(tried, SOON_MS);
    expect(times).toBe(stoppedAt);
  });

  it("runs it no more once it has stopped itself", async () => {
    const tried = open();
    let times = 0;
    const timer = tried.world.every(1, () => {
      times += 1;
      if (times === 2) timer.stop();
    });
    await tried.until(() => times === 2);
    await pass(tried, SOON_MS);
    expect(times).toBe(2);
  });
};

/** A signal that counts its listeners. */
const countedSignal = () => {
  const listeners = new Set<() => void>();
  let aborted = false;
  return {
    get aborted() {
      return aborted;
    },
    addEventListener: (_: "abort", heard: () => void) => void listeners.add(heard),
    removeEventListener: (_: "abort", heard: () => void) => void listeners.delete(heard),
    listening: () => listeners.size,
    abort: () => {
      aborted = true;
      for (const heard of [...listeners]) heard();
    },
  };
};

const sleepTests = (open: () => TriedWorld): void => {
  it("ends after what was due before it", async () => {
    const { world, until } = open();
    const heard: string[] = [];
    void world.sleep(SOON_MS).then(() => heard.push("slept"));
    world.after(1, () => heard.push("early"));
    await until(() => heard.length === 2);
    expect(heard).toEqual(["early", "slept"]);
  });

  it("ends when its signal aborts, before its time", async () => {
    const { world, until } = open();
    const signal = countedSignal();
    const heard: string[] = [];
    void world.sleep(LATER_MS, signal).then(() => heard.push("slept"));
    world.after(1, signal.abort);
    world.after(SOON_MS, () => heard.push("later"));
    await until(() => heard.length === 2);
    expect(heard).toEqual(["slept", "later"]);
  });

  it("does not begin when its signal has aborted", async () => {
    const { world } = open();
    const signal = countedSignal();
    signal.abort();
    await world.sleep(LATER_MS, signal);
    expect(signal.listening()).toBe(0);
  });

  it("leaves nothing with its signal, however it ends", async () => {
    const tried = open();
    const [whole, ended] = [countedSignal(), countedSignal()];
    void tried.world.sleep(1, whole);
    void tried.world.sleep(LATER_MS, ended);
    expect([whole.listening(), ended.listening()]).toEqual([1, 1]);
    ended.abort();
    await pass(tried, SOON_MS);
    expect([whole.listening(), ended.listening()]).toEqual([0, 0]);
  });
};

const chanceTests = (open: () => TriedWorld): void => {
  const distinct = (draw: () => string): number => new Set(Array.from({ length: DRAWS }, draw)).size;

  it.each([0, 1, 32, 1_000])("gives %s bytes when so many are asked for", (length) => {
    expect(open().world.entropy(length)).toHaveLength(length);
  });

  it("never gives the same bytes, ids or UUIDs again", () => {
    const { world } = open();
    expect(distinct(() => String(world.entropy(32)))).toBe(DRAWS);
    expect(distinct(() => world.freshId(walletIdSchema, "wa"))).toBe(DRAWS);
    expect(distinct(world.freshUuid)).toBe(DRAWS);
  });

  it("makes UUIDs of version 4 (RFC 9562)", () => {
    expect(open().world.freshUuid()).toMatch(
      /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/,
    );
  });
};
