import { type Network, networkSchema } from "@conclave/custody";
import { beforeEach, expect, it } from "vitest";
import { type NetworksInUse, networksInUse } from "./networks-in-use.ts";

const [SEPOLIA, POLYGON] = ["EthereumSepolia", "Polygon"].map((name) => networkSchema.parse(name));
if (SEPOLIA === undefined || POLYGON === undefined) throw new Error("two networks are named");

let nowMs: number;
let asked: (readonly Network[])[];
let followedNetworks: Network[];
let isAway: boolean;
let inUse: NetworksInUse;
beforeEach(() => {
  nowMs = 0;
  asked = [];
  followedNetworks = [];
  isAway = false;
  inUse = networksInUse({
    world: { monotonicMs: () => nowMs },
    networks: [SEPOLIA, POLYGON],
    followedNetworks: async (networks) => {
      asked.push(networks);
      if (isAway) throw new Error("the database is away");
      return networks.filter((network) => followedNetworks.includes(network));
    },
  });
});

it("all networks that are asked for at about the same time cost one look", async () => {
  followedNetworks = [SEPOLIA];
  expect(await Promise.all([SEPOLIA, POLYGON].map(inUse.isUsed))).toEqual([true, false]);
  nowMs = 200;
  expect(await inUse.isUsed(POLYGON)).toBe(false);
  expect(asked).toEqual([[SEPOLIA, POLYGON]]);
});

it("a network is found once it has a wallet, and not looked for any more", async () => {
  await inUse.isUsed(SEPOLIA);
  followedNetworks = [SEPOLIA];
  nowMs = 1_000;
  expect(await inUse.isUsed(SEPOLIA)).toBe(true);
  nowMs = 2_000;
  expect(await inUse.isUsed(SEPOLIA)).toBe(true);
  await inUse.isUsed(POLYGON);
  expect(asked).toEqual([[SEPOLIA, POLYGON], [SEPOLIA, POLYGON], [POLYGON]]);
});

it("a look that fails tells who asked, and the next one looks again", async () => {
  isAway = true;
  await expect(inUse.isUsed(SEPOLIA)).rejects.toThrow("the database is away");
  isAway = false;
  followedNetworks = [SEPOLIA];
  nowMs = 1_000;
  expect(await inUse.isUsed(SEPOLIA)).toBe(true);
});
