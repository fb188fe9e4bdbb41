import { setImmediate } from "node:timers/promises";
import { openVirtualWorld } from "@conclave/cluster/testing";
import { expect, it } from "vitest";
import { attend } from "./attend.ts";

/** Attends a table in virtual time, and records the times of the rounds. @param found what each round finds */
const attended = (found: readonly number[]) => {
  const world = openVirtualWorld(0, "attend");
  const left = [...found];
  const begunMs: number[] = [];
  let ring = (): void => undefined;
  let isHeard = false;
  const attending = attend({
    world,
    hear: (heard) => {
      [ring, isHeard] = [heard, true];
      return {
        stop: () => {
          isHeard = false;
        },
      };
    },
    round: async () => {
      begunMs.push(world.nowMs());
      return left.shift() ?? 0;
    },
    onFailure: (error) => expect.fail(String(error)),
  });
  const pass = async (toMs: number): Promise<void> => {
    await setImmediate();
    world.step(toMs);
    await setImmediate();
  };
  return { attending, begunMs, pass, ring: () => ring(), isHeard: () => isHeard };
};

it("looks again at once while there is work, and every second otherwise", async () => {
  const { attending, begunMs, pass } = attended([64, 1]);
  await pass(0);
  await pass(0);
  expect(begunMs).toEqual([0, 0, 0]);
  await pass(999);
  expect(begunMs).toHaveLength(3);
  await pass(1_000);
  expect(begunMs).toEqual([0, 0, 0, 1_000]);
  await attending.stop();
});

it("looks at every announcement, and hears none once it is stopped", async () => {
  const { attending, begunMs, pass, ring, isHeard } = attended([]);
  await pass(0);
  ring();
  await pass(0);
  expect(begunMs).toHaveLength(2);
  await attending.stop();
  expect(isHeard()).toBe(false);
});

it("starts no loop where it cannot subscribe", async () => {
  const world = openVirtualWorld(0, "attend");
  let rounds = 0;
  const begin = () =>
    attend({
      world,
      hear: () => {
        throw new Error("closed");
      },
      round: async () => {
        rounds += 1;
        return 1;
      },
      onFailure: () => undefined,
    });
  expect(begin).toThrow("closed");
  await setImmediate();
  expect(rounds).toBe(0);
});
