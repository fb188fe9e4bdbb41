import { afterEach, describe, expect, it } from "vitest";
import type { ClusterPlan } from "../world/cluster-plan.ts";
import { SimulatedCluster } from "../world/simulated-cluster.ts";

const PLAN: ClusterPlan = { seed: "a client", signers: 3, threshold: 2, orchestrators: 1, gateways: 2 };
const RECIPIENT = `0x${"ab".repeat(20)}`;

let cluster: SimulatedCluster;
const opened = async (change: Partial<ClusterPlan> = {}) => {
  cluster = await SimulatedCluster.open({ ...PLAN, ...change });
  cluster.startAll();
  return cluster.passing(cluster.client.createWallet());
};
const ask = async (wallet: Awaited<ReturnType<typeof opened>>): Promise<void> =>
  cluster.passing(cluster.client.transfer({ wallet, to: RECIPIENT, amount: 5n }));

afterEach(() => cluster.close());

describe("a client of a simulated cluster", () => {
  it("asks another gateway where one is dead or paused, and counts the request once", async () => {
    const wallet = await opened();
    const [one, other] = cluster.gateways;
    one?.kill();
    await ask(wallet);
    await ask(wallet);
    one?.start();
    other?.world?.pause();
    await ask(wallet);
    await ask(wallet);
    const { asked } = cluster.client;
    expect(asked.map(({ ids }) => ids.size)).toEqual([1, 1, 1, 1]);
    expect(asked.map(({ attempts }) => attempts).toSorted()).toEqual([1, 1, 2, 2]);
  }, 240_000);

  it("INV-4 gets one transfer for all attempts of a request whose answers are lost", async () => {
    const wallet = await opened({ lostAnswers: 0.6 });
    for (let number = 0; number < 6; number += 1) await ask(wallet);
    const { asked } = cluster.client;
    expect(Math.max(...asked.map(({ attempts }) => attempts))).toBeGreaterThan(1);
    expect(asked.map(({ ids }) => ids.size)).toEqual([1, 1, 1, 1, 1, 1]);
  }, 240_000);
});
