import { openVirtualWorld } from "@conclave/cluster/testing";
import { beforeEach, describe, expect, it } from "vitest";
import { onceConfirmed } from "./confirming.ts";

const START_MS = 1_795_000_000_000;

let world: ReturnType<typeof openVirtualWorld>;
let isConfirmed: boolean;
let served: number[];
let waiting: ReturnType<typeof onceConfirmed>;
beforeEach(() => {
  world = openVirtualWorld(START_MS, "confirming");
  isConfirmed = false;
  served = [];
  waiting = onceConfirmed(
    world,
    () => isConfirmed,
    () => served.push(world.nowMs() - START_MS),
  );
});

const rest = (ms: number): void => {
  const untilMs = world.nowMs() + ms;
  while (world.step(untilMs));
};

describe("a signer that starts serves", () => {
  it("once its peers have confirmed its store, and once only", () => {
    rest(100);
    expect(served).toEqual([]);
    isConfirmed = true;
    rest(10_000);
    expect(served).toEqual([120]);
  });

  it("INV-5 after three seconds where too few peers are there", () => {
    rest(2_990);
    expect(served).toEqual([]);
    rest(10_000);
    expect(served).toEqual([3_000]);
  });

  it("not at all once it stops", () => {
    waiting.stop();
    isConfirmed = true;
    rest(10_000);
    expect(served).toEqual([]);
  });
});
