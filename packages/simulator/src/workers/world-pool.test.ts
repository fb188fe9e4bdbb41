import { QUIET_PLAN } from "@conclave/chaos";
import { afterEach, describe, expect, it } from "vitest";
import type { WorldReport } from "./world-order.ts";
import { openWorldPool, type WorldPool } from "./world-pool.ts";

const UNRULY = { url: new URL("../testing/unruly-child.mjs", import.meta.url), execArgv: [] };

let pool: WorldPool | undefined;
afterEach(() => pool?.close());

const runs = (seeds: readonly number[], cores: number, limitMs?: number): Promise<readonly WorldReport[]> => {
  const opened = openWorldPool(cores, { entry: UNRULY, ...(limitMs === undefined ? {} : { limitMs }) });
  pool = opened;
  return Promise.all(seeds.map((seed) => opened.run({ seed, plan: QUIET_PLAN, lostStatements: 0 })));
};

describe("a pool of workers", () => {
  it("reports the death of a process as a finding of its world, and runs the next world in another process", async () => {
    const [first, died, next] = await runs([1, 2, 4], 1);
    expect(died?.findings).toEqual([
      { invariant: "worker", words: "the process of the world ended by SIGKILL" },
    ]);
    expect([first?.findings, next?.findings]).toEqual([[], []]);
    expect(next?.digest).not.toBe(first?.digest);
  });

  it("ends a world that does not end in time, and runs the next one in another process", async () => {
    const [overdue, next] = await runs([3, 1], 1, 10_000);
    expect(overdue?.findings).toEqual([{ invariant: "time", words: "the world did not end within 10 s" }]);
    expect(next?.findings).toEqual([]);
  });

  it("runs all worlds of one worker in one process", async () => {
    const reports = await runs([1, 4, 5, 6], 1);
    expect(new Set(reports.map(({ digest }) => digest)).size).toBe(1);
  });

  it("runs as many worlds at a time as it has workers", async () => {
    const reports = await runs([1, 4, 5, 6], 2);
    expect(new Set(reports.map(({ digest }) => digest)).size).toBe(2);
  });

  it("reports a process that cannot be begun", async () => {
    pool = openWorldPool(1, { entry: { url: new URL("file:///no/such/folder/child.mjs"), execArgv: [] } });
    const { findings } = await pool.run({ seed: 1, plan: QUIET_PLAN, lostStatements: 0 });
    expect(findings).toEqual([{ invariant: "worker", words: "the process of the world ended by 1" }]);
  });
});
