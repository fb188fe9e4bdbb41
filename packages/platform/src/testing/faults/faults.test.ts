import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { hearFaultPoints, reach } from "../../fault-points/index.ts";
import { processWorld } from "../../world.ts";
import { setProcessClock } from "./clock.ts";
import { dieAtFaultPoints } from "./death.ts";
import { openFailingStore } from "./disk.ts";
import { giveFaultOrders, reachedFaultPoint } from "./orders.ts";

const HOUR_MS = 3_600_000;

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "conclave-faults-"));
});
afterEach(() => rmSync(folder, { recursive: true }));

describe("orders", () => {
  it("that name an unknown point are refused, with the points that there are", () => {
    const points = JSON.parse('[{ "point": "transfer.lost", "hit": 1 }]');
    expect(() => giveFaultOrders(folder, { points })).toThrow(/"transfer\.accepted"/);
  });

  it("that name an unknown message of a lie are refused, with those that there are", () => {
    expect(() => giveFaultOrders(folder, { lies: ["presign/9.D"] })).toThrow(
      /no signer lies in presign\/9\.D; there are aux\/1\.commitment, .* presign\/1\.K, /,
    );
  });
});

describe("a process that is ordered to die", () => {
  const kill = vi.spyOn(process, "kill");
  beforeEach(() => kill.mockReset().mockImplementation(() => true));
  afterEach(() => hearFaultPoints(() => undefined));

  it("does so at the hit that was ordered, once, and writes down where", () => {
    dieAtFaultPoints(folder);
    reach("transfer.signed");
    giveFaultOrders(folder, { points: [{ point: "transfer.signed", hit: 2 }] });
    reach("transfer.signed");
    reach("transfer.stored");
    expect([kill.mock.calls, reachedFaultPoint(folder)]).toEqual([[], undefined]);
    reach("transfer.signed");
    expect(kill.mock.calls).toEqual([[process.pid, "SIGKILL"]]);
    expect(reachedFaultPoint(folder)).toEqual({ point: "transfer.signed", hit: 2 });
  });

  it("passes the point once it was started again, until another hit or point is ordered", () => {
    giveFaultOrders(folder, { points: [{ point: "transfer.signed", hit: 1 }] });
    dieAtFaultPoints(folder);
    reach("transfer.signed");
    dieAtFaultPoints(folder);
    reach("transfer.signed");
    expect(kill).toHaveBeenCalledTimes(1);
    giveFaultOrders(folder, { points: [{ point: "transfer.stored", hit: 1 }] });
    reach("transfer.stored");
    expect(kill).toHaveBeenCalledTimes(2);
  });
});

describe("a clock", () => {
  const machine = Date;
  afterEach(() => {
    globalThis.Date = machine;
  });

  it("that jumps changes the time of its process's world and libraries, but not the monotonic time", () => {
    setProcessClock(folder);
    const jump = (clockMs: number): readonly number[] => {
      giveFaultOrders(folder, { clockMs });
      const read = [processWorld.nowMs(), Date.now(), Date.parse(new Date().toISOString())];
      return read.map((ms) => Math.round((ms - machine.now()) / HOUR_MS));
    };
    expect(jump(2 * HOUR_MS)).toEqual([2, 2, 2]);
    expect(jump(-HOUR_MS)).toEqual([-1, -1, -1]);
    expect(new Date(0)).toBeInstanceOf(Date);
    expect(new Date(0).toISOString()).toBe("1970-01-01T00:00:00.000Z");
  });
});

describe("INV-2 a store on a disk that fails", () => {
  const DURABLE = { sync: true } as const;
  const open = async () => {
    const store = await openFailingStore(folder)(join(folder, "vault"));
    if (!store.ok) throw new Error(store.problem.message);
    return store.value;
  };

  it("takes nothing when it is full, and everything once it is well", async () => {
    const { table, groupKeys } = await open();
    giveFaultOrders(folder, { disk: "full" });
    const value = Uint8Array.of(1);
    await expect(table.put("a", value, DURABLE)).rejects.toThrow("ENOSPC");
    await expect(table.put("a", value, { sync: false })).rejects.toThrow("ENOSPC");
    await expect(groupKeys.change(new Map([["g", value]]), [])).rejects.toThrow("ENOSPC");
    expect(await table.get("a")).toBeUndefined();
    giveFaultOrders(folder, {});
    await table.put("a", value, DURABLE);
    expect([...((await table.get("a")) ?? [])]).toEqual([1]);
    await table.close();
  });

  it("reports no write as durable when it cannot sync", async () => {
    const { table, groupKeys } = await open();
    giveFaultOrders(folder, { disk: "unsynced" });
    const value = Uint8Array.of(1);
    await expect(table.put("a", value, DURABLE)).rejects.toThrow("EIO");
    await expect(groupKeys.change(new Map([["g", value]]), [])).rejects.toThrow("EIO");
    await table.put("b", value, { sync: false });
    await table.close();
  });
});
