import { openVirtualWorld } from "@conclave/cluster/testing";
import { describe, expect, it } from "vitest";
import { openSimulatedBitcoin } from "./simulated-bitcoin.ts";

const WALLET = "tb1qw508d6qejxtdg4y5r3zarvary0c5xw7kxpjzsx";

/** @param behindMs how far the nodes that answer are behind */
const opened = (behindMs = 0) => {
  const world = openVirtualWorld(1_795_000_000_000, "coins");
  const chain = openSimulatedBitcoin(world, "a seed", { isBehind: () => behindMs > 0, behindMs });
  const pass = (ms: number): void => {
    const untilMs = world.nowMs() + ms;
    world.after(ms, () => undefined);
    while (world.step(untilMs));
  };
  return { chain, pass };
};

describe("the simulated chain of coins", () => {
  it("makes a block each second, unless it is held", () => {
    const { chain, pass } = opened();
    pass(2_000);
    expect(chain.controls.height()).toBe(2n);
    chain.controls.hold(true);
    pass(2_000);
    expect(chain.controls.height()).toBe(2n);
    chain.controls.hold(false);
    pass(1_000);
    expect(chain.controls.height()).toBe(3n);
  });

  it("gives wallets final coins, which no fault takes back, and counts them as nobody's payment", async () => {
    const { chain } = opened();
    chain.fund([WALLET], 3);
    chain.controls.reorganise(2);
    chain.controls.drop();
    expect(await chain.arrived(WALLET)).toBe(300_000n);
    expect([chain.landed(), chain.waiting()]).toEqual([[], 0]);
  });

  it("has a recipient of its own for each payment, and amounts that need one to several coins", () => {
    const { chain } = opened();
    const payments = Array.from({ length: 200 }, (_, number) => chain.payment(number));
    expect(new Set(payments.map(({ to }) => to)).size).toBe(200);
    const amounts = payments.map(({ amount }) => Number(amount));
    expect([Math.min(...amounts) < 30_000, Math.max(...amounts) > 60_000]).toEqual([true, true]);
  });
});
