import type { InjectedFault, Place } from "@conclave/chaos";
import { memorySigner } from "@conclave/signer/testing";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { SimulatedCluster } from "../world/simulated-cluster.ts";
import { SimulatedInjector } from "./simulated-injector.ts";

const SIGNER: Place = { kind: "signer", number: 1 };
const kill: InjectedFault = { kind: "kill", places: [SIGNER] };
const clock = (byMs: number): InjectedFault => ({ kind: "clock", place: SIGNER, byMs });

let cluster: SimulatedCluster;
let injector: SimulatedInjector;
beforeEach(async () => {
  cluster = await SimulatedCluster.open({
    seed: "injector",
    signers: 3,
    threshold: 2,
    orchestrators: 1,
    gateways: 1,
  });
  injector = new SimulatedInjector(cluster, []);
  cluster.startAll();
  await cluster.pass(100);
});
afterEach(() => cluster.close());

const signer = () => cluster.signers[0] ?? expect.fail("a cluster has a first signer");
const isAlive = (): boolean => signer().world !== undefined;
const aheadMs = (): number => (signer().world?.nowMs() ?? 0) - cluster.world.nowMs();

describe("faults of one process add up:", () => {
  it("it is dead until the last fault that keeps it so ends", async () => {
    const [first, second] = [await injector.inject(kill), await injector.inject(kill)];
    await first();
    expect(isAlive()).toBe(false);
    await second();
    expect(isAlive()).toBe(true);
  });

  it("its supervisor starts it no sooner", async () => {
    const heal = await injector.inject(kill);
    cluster.parts.supervise(signer().name);
    await cluster.pass(5_000);
    expect(isAlive()).toBe(false);
    await heal();
    expect(isAlive()).toBe(true);
  });

  it("its clock is ahead by their sum, also in its next life, until each ends", async () => {
    const [first, second] = [await injector.inject(clock(5_000)), await injector.inject(clock(-1_000))];
    expect(aheadMs()).toBe(4_000);
    const heal = await injector.inject(kill);
    await heal();
    expect(aheadMs()).toBe(4_000);
    await first();
    expect(aheadMs()).toBe(-1_000);
    await second();
    expect(aheadMs()).toBe(0);
  });

  it("bus and database are away until the last fault that takes them away ends", async () => {
    const away: InjectedFault = { kind: "kill", places: [{ kind: "bus" }, { kind: "database" }] };
    const isAway = (): readonly boolean[] => [
      cluster.parts.statementFate("select 1", []) === "unsent",
      !cluster.parts.broker.connect().connected(),
    ];
    const [first, second] = [await injector.inject(away), await injector.inject(away)];
    await first();
    expect(isAway()).toEqual([true, true]);
    await second();
    expect(isAway()).toEqual([false, false]);
  });
});

describe("a paused signer", () => {
  const statusOf = () => {
    const heard: boolean[] = [];
    const asking = memorySigner(cluster.parts.network, signer().index).getStatus();
    void asking.then(({ ok }) => heard.push(ok));
    return heard;
  };

  it("answers nothing until it goes on", async () => {
    const resume = await injector.inject({ kind: "pause", places: [SIGNER] });
    const heard = statusOf();
    await cluster.pass(2_000);
    expect(heard).toEqual([]);
    await resume();
    await cluster.pass(100);
    expect(heard).toEqual([true]);
  });

  it("is given up by those who ask it after a while", async () => {
    await injector.inject({ kind: "pause", places: [SIGNER] });
    const heard = statusOf();
    await cluster.pass(6_000);
    expect(heard).toEqual([false]);
  });
});
