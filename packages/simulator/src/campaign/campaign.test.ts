import { QUIET_PLAN } from "@conclave/chaos";
import { afterEach, describe, expect, it } from "vitest";
import { COMPILED_CHILD } from "../testing/compiled-child.ts";
import { unfinishedReport } from "../workers/world-order.ts";
import { openWorldPool, type RunOrder, type WorldPool } from "../workers/world-pool.ts";
import { runCampaign } from "./campaign.ts";
import type { CampaignSum } from "./campaign-sum.ts";

let pool: WorldPool | undefined;
afterEach(() => pool?.close());
const openPool = (): WorldPool => {
  pool = openWorldPool(2, { entry: COMPILED_CHILD });
  return pool;
};

const SMALL = {
  ...QUIET_PLAN,
  signers: 3,
  threshold: 2,
  load: { ...QUIET_PLAN.load, lastsMs: 1_000, wallets: 2 },
};

const campaign = async (cores: number, worlds: number, run: RunOrder) => {
  const digests = new Map<number, string>();
  const sum = await runCampaign({
    firstSeed: 7,
    cores,
    goesOn: (begun) => begun < worlds,
    orderOf: (seed) => ({ seed, plan: SMALL, lostStatements: 0.002 }),
    run,
    ended: ({ order, report }) => void digests.set(order.seed, report.digest),
  });
  const ordered = [...digests].sort(([one], [other]) => one - other);
  return { sum, digests: ordered };
};

const comparable = ({ peakMb: _, ...sum }: CampaignSum) => sum;

describe("a campaign", () => {
  it("has the same digest for each seed and the same sums, with one worker and with two", async () => {
    // one world at a time runs in one process, because the pool takes the process that ended its world last
    const { run } = openPool();
    const one = await campaign(1, 2, run);
    const two = await campaign(2, 2, run);
    expect(two.digests).toEqual(one.digests);
    expect(comparable(two.sum)).toEqual(comparable(one.sum));
    expect(one.digests.map(([seed, digest]) => [seed, digest.length])).toEqual([
      [7, 64],
      [8, 64],
    ]);
    expect([one.sum.worlds, one.sum.transfers, one.sum.failed]).toEqual([2, 4, 0]);
  }, 600_000);

  it("gives each seed once, and no more at a time than it has cores", async () => {
    let running = 0;
    let most = 0;
    const { digests } = await campaign(3, 10, async () => {
      running += 1;
      most = Math.max(most, running);
      await Promise.resolve();
      running -= 1;
      return unfinishedReport("INV-4", "paid twice", 1);
    });
    expect(digests.map(([seed]) => seed)).toEqual([7, 8, 9, 10, 11, 12, 13, 14, 15, 16]);
    expect(most).toBe(3);
  });

  it("begins no world once twenty have failed", async () => {
    const { sum } = await campaign(1, 1_000, async () => unfinishedReport("INV-4", "paid twice", 1));
    expect([sum.worlds, sum.failed, sum.violated]).toEqual([20, 20, { "INV-4": 20 }]);
  });
});
