import { expect, it } from "vitest";
import { LaunchError } from "./launch-error.ts";
import { clusterOptions } from "./options.ts";

const asked = (signers: number, threshold: number) => () =>
  clusterOptions({ state: "/nowhere", signers, threshold });

it("by default a cluster is three of five at full size", () => {
  const { signers, threshold, parameters } = clusterOptions({ state: "/nowhere" });
  expect([threshold, signers, parameters]).toEqual([3, 5, "CGGMP24-128"]);
});

it.each([
  [2, 2],
  [3, 2],
  [20, 20],
])("%i signers with threshold %i are a cluster", (signers, threshold) => {
  expect(asked(signers, threshold)()).toMatchObject({ signers, threshold });
});

it.each([
  [1, 1],
  [5, 1],
  [5, 6],
  [21, 3],
  [2.5, 2],
])("%d signers with threshold %d are refused with the range that is allowed", (signers, threshold) => {
  expect(asked(signers, threshold)).toThrow(/2 to/);
});

it("a real node of the first network is refused among the nodes, with the way to name it", () => {
  const nodes = [{ network: "EthereumSepolia", family: "Evm" }];
  const asked = () => clusterOptions({ state: "/nowhere", nodes });
  expect(asked).toThrow(LaunchError);
  expect(asked).toThrow("a real node of EthereumSepolia is not named among the nodes");
});

it.each([{ orchestrators: 0 }, { orchestrators: 1.5 }, { gateways: 9 }])(
  "%o is refused: there is at least one of each, and few of them",
  (numbers) => {
    expect(() => clusterOptions({ state: "/nowhere", ...numbers })).toThrow("a cluster has 1 to 8");
  },
);
