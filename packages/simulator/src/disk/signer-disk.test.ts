import { beforeEach, describe, expect, it } from "vitest";
import { chanceOf } from "../time/chance-of.ts";
import { openProcessWorld, type ProcessWorld } from "../time/process-world.ts";
import { microseconds, Scheduler } from "../time/scheduler.ts";
import { SignerDisk } from "./signer-disk.ts";

const VALUE = Uint8Array.of(7);

let scheduler: Scheduler;
let disk: SignerDisk;
let life: number;
beforeEach(() => {
  scheduler = new Scheduler("disk");
  disk = new SignerDisk(chanceOf("disk", "signer-1"));
  life = 0;
});

const begin = (): ProcessWorld => {
  life += 1;
  return openProcessWorld({ scheduler, name: "signer-1", life, seed: "disk", startMs: 0 });
};
const pass = async (ms: number): Promise<void> => {
  const limitUs = scheduler.nowUs + microseconds(ms);
  do await new Promise((resolve) => setImmediate(resolve));
  while (scheduler.step(limitUs));
};
const put = (world: ProcessWorld, name: string, sync = true): Promise<void> =>
  disk.storeFor(world).table.put(name, VALUE, { sync });
const has = (name: string): boolean => disk.storeFor(begin()).table.getSync(name) !== undefined;

describe("the disk of a signer", () => {
  it("takes time for a synced write, and none while the signer starts", async () => {
    const world = begin();
    await put(world, "a");
    disk.takesTime = true;
    let isDone = false;
    void put(world, "b").then(() => {
      isDone = true;
    });
    await new Promise((resolve) => setImmediate(resolve));
    expect([has("a"), has("b"), isDone]).toEqual([true, false, false]);
    await pass(2);
    expect([has("b"), isDone]).toEqual([true, true]);
  });

  it("has a write under way, or has it not, when its signer dies; and takes none of a dead signer", async () => {
    disk.takesTime = true;
    const landed = new Set<boolean>();
    for (let number = 0; number < 20; number += 1) {
      const world = begin();
      void put(world, `entry ${number}`);
      world.kill();
      void put(world, "late", false);
      await pass(2);
      landed.add(has(`entry ${number}`));
    }
    expect([landed, has("late")]).toEqual([new Set([true, false]), false]);
  });

  it("takes nothing while it is full", async () => {
    const world = begin();
    const end = disk.fail("full");
    await expect(put(world, "a")).rejects.toThrow("ENOSPC");
    end();
    await put(world, "a");
    expect(has("a")).toBe(true);
  });

  it("fails a sync, after which a power loss may take the write, or not", async () => {
    const kept = new Set<boolean>();
    for (let number = 0; number < 20; number += 1) {
      const world = begin();
      const end = disk.fail("unsynced");
      await expect(put(world, `entry ${number}`)).rejects.toThrow("EIO");
      expect(has(`entry ${number}`)).toBe(true);
      end();
      disk.losePower();
      kept.add(has(`entry ${number}`));
    }
    expect(kept).toEqual(new Set([true, false]));
  });

  it("keeps synced writes at a power loss", async () => {
    await put(begin(), "a");
    disk.losePower();
    expect(has("a")).toBe(true);
  });

  it("loses an entry that a pattern names, and goes back to a copy with its files", async () => {
    const world = begin();
    await put(world, "record/key/1");
    await disk.storeFor(world).groupKeys.change(new Map([["group", VALUE]]), []);
    const copy = disk.copy();
    expect([disk.loseEntry("request/*"), disk.loseEntry("key/*"), has("record/key/1")]).toEqual([
      undefined,
      "record/key/1",
      false,
    ]);
    await disk.storeFor(world).groupKeys.change(new Map(), ["group"]);
    disk.restore(copy);
    const keys = await disk.storeFor(begin()).groupKeys.shared();
    expect([has("record/key/1"), [...keys.keys()]]).toEqual([true, ["group"]]);
  });
});
