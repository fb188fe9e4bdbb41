import { setImmediate } from "node:timers/promises";
import { openVirtualWorld } from "@conclave/cluster/testing";
import { expect, it } from "vitest";
import { startLoop } from "./loop.ts";
import { processWorld } from "./world.ts";

/** A loop whose rounds are counted; they pause for an hour. */
const counted = (leastPauseMs: number) => {
  let rounds = 0;
  const loop = startLoop({
    world: processWorld,
    round: async () => {
      rounds += 1;
      return 3_600_000;
    },
    onFailure: (error) => expect.fail(String(error)),
    pauseAfterFailureMs: 0,
    leastPauseMs,
  });
  return { loop, rounds: () => rounds };
};

it("a ring ends the pause", async () => {
  const { loop, rounds } = counted(0);
  await expect.poll(rounds).toBe(1);
  await setImmediate();
  loop.ring();
  await expect.poll(rounds).toBe(2);
  await loop.stop();
});

it("pauses for the minimum however often it rings, so that events do not set how often a node is asked", async () => {
  const { loop, rounds } = counted(3_600_000);
  await expect.poll(rounds).toBe(1);
  for (let ring = 0; ring < 10; ring += 1) {
    loop.ring();
    await setImmediate();
  }
  expect(rounds()).toBe(1);
  await loop.stop();
});

it("runs by the time of its World, and is stopped in the middle of a pause", async () => {
  const world = openVirtualWorld(0, "loop");
  const begunMs: number[] = [];
  const loop = startLoop({
    world,
    round: async () => {
      begunMs.push(world.nowMs());
      return 3_600_000;
    },
    onFailure: (error) => expect.fail(String(error)),
    pauseAfterFailureMs: 0,
  });
  await setImmediate();
  world.step(3_599_999);
  await setImmediate();
  expect(begunMs).toEqual([0]);
  world.step(3_600_000);
  await setImmediate();
  expect(begunMs).toEqual([0, 3_600_000]);
  await loop.stop();
});

it("pauses for all of its time after a failure, however often it rings", async () => {
  const world = openVirtualWorld(0, "loop");
  const failedMs: number[] = [];
  const loop = startLoop({
    world,
    round: () => Promise.reject(new Error("the database is away")),
    onFailure: () => failedMs.push(world.nowMs()),
    pauseAfterFailureMs: 1_000,
  });
  for (let ring = 0; ring < 10; ring += 1) {
    loop.ring();
    await setImmediate();
  }
  expect(failedMs).toEqual([0]);
  world.step(1_000);
  await setImmediate();
  expect(failedMs).toEqual([0, 1_000]);
  await loop.stop();
});
