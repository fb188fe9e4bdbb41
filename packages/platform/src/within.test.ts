import { openVirtualWorld } from "@conclave/cluster/testing";
import { expect, it, vi } from "vitest";
import { within } from "./within.ts";

const never = new Promise<void>(() => undefined);

it("waits for work, and leaves no timer when that is over", async () => {
  const world = openVirtualWorld(0, "within");
  await within(world, 1_000, Promise.resolve());
  expect(world.step(Number.MAX_SAFE_INTEGER)).toBe(false);
});

it("waits no longer than its time", async () => {
  const world = openVirtualWorld(0, "within");
  const over = vi.fn();
  const waiting = within(world, 1_000, never).then(over);
  world.step(999);
  await Promise.resolve();
  expect(over).not.toHaveBeenCalled();
  world.step(1_000);
  await waiting;
});

it("throws the failure of the work, and leaves no timer", async () => {
  const world = openVirtualWorld(0, "within");
  await expect(within(world, 1_000, Promise.reject(new Error("it failed")))).rejects.toThrow("it failed");
  expect(world.step(Number.MAX_SAFE_INTEGER)).toBe(false);
});
