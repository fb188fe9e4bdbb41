import { describe, expect, it } from "vitest";
import { drawNetworks } from "./draw-networks.ts";

const SEEDS = Array.from({ length: 400 }, (_, at) => 1 + at);
const drawn = (coins: number, transfers = 16) =>
  SEEDS.map((seed) => drawNetworks(seed, transfers, { coins }));

describe("the networks of drawn worlds", () => {
  it("have coins in their share, alone and beside accounts, and in a rush in half of these", () => {
    const loads = drawn(0.2);
    const names = loads.map(({ networks }) => networks.join());
    const count = (name: string): number => names.filter((each) => each === name).length;
    expect(count("EthereumSepolia")).toBeGreaterThan(290);
    expect(Math.min(count("BitcoinSignet"), count("EthereumSepolia,BitcoinSignet"))).toBeGreaterThan(20);
    const rushed = loads.filter(({ perSecond }) => perSecond === 80);
    expect(rushed.length).toBeGreaterThan(20);
    for (const { networks, wallets } of rushed)
      expect([networks.at(-1), wallets]).toEqual(["BitcoinSignet", 2]);
  });

  it("are of accounts alone where the share is none, and their rates can be said by a plan", () => {
    expect(new Set(drawn(0).map(({ networks }) => networks.join()))).toEqual(new Set(["EthereumSepolia"]));
    for (const { perSecond } of [...drawn(1, 1), ...drawn(1, 90)]) expect([2, 5, 100]).toContain(perSecond);
  });
});
