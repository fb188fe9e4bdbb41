import { describe, expect, it } from "vitest";
import { Scheduler } from "./scheduler.ts";

const PROCESSES = ["a", "b", "c", "d", "e"];

/** The order in which entries of several processes run that are planned for the same times. */
const ordersOf = (seed: string, times: number): readonly string[] => {
  const scheduler = new Scheduler(seed);
  const ran: string[] = [];
  for (let at = 1; at <= times; at += 1) {
    for (const process of PROCESSES) {
      for (const entry of [1, 2]) scheduler.plan(process, at, () => ran.push(`${at}${process}${entry}`));
    }
  }
  while (scheduler.step(Number.POSITIVE_INFINITY));
  return Array.from({ length: times }, (_, at) => ran.slice(at * 10, (at + 1) * 10).join(" "));
};

describe("the schedule", () => {
  it("runs entries of one time in the order of their making within a process", () => {
    for (const order of ordersOf("seed", 50)) {
      for (const process of PROCESSES) {
        const [first, second] = [`${process}1`, `${process}2`].map((entry) => order.indexOf(entry));
        expect(first).toBeLessThan(second ?? -1);
      }
    }
  });

  it("draws the order of processes anew for each time, and the same from one seed", () => {
    const processesIn = (orders: readonly string[]) =>
      new Set(orders.map((order) => order.replaceAll(/\d/g, "")));
    expect(ordersOf("seed", 50)).toEqual(ordersOf("seed", 50));
    expect(ordersOf("seed", 50)).not.toEqual(ordersOf("other", 50));
    expect(processesIn(ordersOf("seed", 50)).size).toBeGreaterThan(20);
  });

  it("stands still until a step, takes none beyond the limit, and forgets what is taken back", () => {
    const scheduler = new Scheduler("seed");
    const ran: string[] = [];
    const taken = scheduler.plan("a", 1, () => ran.push("never"));
    scheduler.plan("a", 2.4, () => ran.push("a"));
    taken.cancel();
    expect([scheduler.step(1), scheduler.nowUs]).toEqual([false, 0]);
    expect([scheduler.step(2), scheduler.nowUs, scheduler.steps, ran]).toEqual([true, 2, 1, ["a"]]);
    expect(scheduler.step(Number.POSITIVE_INFINITY)).toBe(false);
  });

  it("runs at once where the delay is not above 0, and never before its time", () => {
    const scheduler = new Scheduler("seed");
    const ran: number[] = [];
    scheduler.plan("a", 5, () => {
      scheduler.plan("a", -3, () => ran.push(scheduler.nowUs));
      scheduler.plan("b", 2, () => ran.push(scheduler.nowUs));
    });
    while (scheduler.step(Number.POSITIVE_INFINITY));
    expect(ran).toEqual([5, 7]);
  });
});
