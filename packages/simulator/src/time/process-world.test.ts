import { setImmediate as turn } from "node:timers/promises";
import { describeWorld } from "@conclave/cluster/testing";
import { describe, expect, it } from "vitest";
import { openProcessWorld } from "./process-world.ts";
import { Scheduler } from "./scheduler.ts";

const START_MS = 1_900_000_000_000;
const STEPS_MAX = 1_000;

const open = (life = 1, skewMs = 0) => {
  const scheduler = new Scheduler("seed");
  const world = openProcessWorld({
    scheduler,
    name: "signer-1",
    life,
    seed: "seed",
    startMs: START_MS,
    skewMs,
  });
  return { scheduler, world };
};

describeWorld("a simulated process", () => {
  const { scheduler, world } = open();
  return {
    world,
    until: async (condition) => {
      await turn();
      while (!condition()) {
        if (!scheduler.step(Number.POSITIVE_INFINITY)) throw new Error("nothing is left to come");
        await turn(); // a task that waits for a promise goes on
      }
    },
  };
});

describe("a simulated process", () => {
  const runAll = (scheduler: Scheduler): void => {
    // a process that should be dead may plan for ever
    for (let steps = 0; steps < STEPS_MAX && scheduler.step(Number.POSITIVE_INFINITY); steps += 1);
  };

  it("has a wall clock that is ahead and jumps, and a monotonic one that does neither", () => {
    const { scheduler, world } = open(1, 30_000);
    scheduler.plan("somebody", 2_500, () => world.jump(-60_000));
    runAll(scheduler);
    expect([world.nowMs(), world.monotonicMs()]).toEqual([START_MS + 30_000 + 2 - 60_000, 2.5]);
  });

  it("has timers that wait a millisecond at least, so that a wait for the rest of a time ends", () => {
    const { scheduler, world } = open();
    const untilMs = world.monotonicMs() + 0.3;
    let waits = 0;
    const wait = (): void => {
      waits += 1;
      const leftMs = untilMs - world.monotonicMs();
      if (leftMs > 0) world.after(leftMs / 1_000_000, wait);
    };
    wait();
    runAll(scheduler);
    expect([waits, world.monotonicMs()]).toEqual([2, 1]);
  });

  it("does nothing while it is paused, and then all that came due, in order", () => {
    const { scheduler, world } = open();
    const ran: [string, number][] = [];
    const note = (what: string) => () => void ran.push([what, world.monotonicMs()]);
    world.after(1, note("first"));
    world.after(2, note("second"));
    world.after(20, note("last"));
    const stopped = world.after(3, note("stopped"));
    const resume = world.pause();
    scheduler.plan("somebody", 10_000, () => {
      stopped.stop();
      resume();
    });
    runAll(scheduler);
    expect(ran).toEqual([
      ["first", 10],
      ["second", 10],
      ["last", 20],
    ]);
  });

  it("takes what arrives at once, and after a pause in the order in which it arrived", () => {
    const { scheduler, world } = open();
    const ran: string[] = [];
    const arrive = (what: string): void => world.arrive(() => void ran.push(what));
    arrive("before");
    const resume = world.pause();
    arrive("first");
    scheduler.plan("somebody", 1_000, () => {
      arrive("second");
      resume();
      arrive("behind them");
    });
    expect(ran).toEqual(["before"]);
    runAll(scheduler);
    arrive("after");
    world.kill();
    arrive("at a dead process");
    expect(ran).toEqual(["before", "first", "second", "behind them", "after"]);
  });

  it("knows what its clock showed shortly before a jump and before a pause", () => {
    const { scheduler, world } = open();
    const nowMs = world.nowMs();
    const shown: (readonly number[])[] = [];
    const show = (): void => void shown.push(world.recentClocksMs().map((ms) => ms - nowMs));
    world.jump(1_000);
    world.after(29, show);
    world.after(31, show);
    world.plan(40_000, () => {
      const resume = world.pause();
      scheduler.plan("somebody", 5_000_000, resume);
    });
    world.after(41, show);
    runAll(scheduler);
    expect(shown).toEqual([
      [1_029, 999, 0],
      [1_031, 1_001],
      [6_040, 6_010, 1_040],
    ]);
  });

  it("does nothing any more once it is dead", () => {
    const { scheduler, world } = open();
    let times = 0;
    const count = (): void => {
      times += 1;
    };
    world.every(1, count);
    world.plan(5_500, () => world.kill());
    world.after(9, count);
    runAll(scheduler);
    expect([times, world.isAlive()]).toEqual([5, false]);
  });

  it("has the same chance in each run of a seed, and another in its next life", () => {
    const [one, same, next] = [open(1), open(1), open(2)].map(({ world }) => world.freshUuid());
    expect(same).toBe(one);
    expect(next).not.toBe(one);
  });
});
