import { setImmediate } from "node:timers/promises";
import { processWorld } from "@conclave/platform/world";
import { expect, it } from "vitest";
import { startLoop } from "./loop.ts";

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

it("however often it rings, there is a pause: a node is not asked as often as there is something new", async () => {
  const { loop, rounds } = counted(3_600_000);
  await expect.poll(rounds).toBe(1);
  for (let ring = 0; ring < 10; ring += 1) {
    loop.ring();
    await setImmediate();
  }
  expect(rounds()).toBe(1);
  await loop.stop();
});
