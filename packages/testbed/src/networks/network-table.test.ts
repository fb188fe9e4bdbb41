import { FAMILIES } from "@conclave/chains";
import { familyOf } from "@conclave/custody";
import { describe, expect, it } from "vitest";
import { LaunchError } from "../launch-error.ts";
import { chooseNetworks, FIRST_NETWORK, LOCAL_NETWORKS } from "./network-table.ts";

describe("the local networks", () => {
  it.each(LOCAL_NETWORKS.map((local) => [local.network, local] as const))(
    "%s has an entry that its family takes, and its decimals",
    (network, local) => {
      const [entry] = FAMILIES.networksSchema.parse([local.entry("http://127.0.0.1:8545", "seed")]);
      expect([entry?.network, entry?.family]).toEqual([network, local.family]);
      expect(local.family).toBe(familyOf(network));
      expect(local.decimals).toBe(FAMILIES.familyOf(network).nativeDecimals);
    },
  );

  it("are each another chain, and each has a process of its own", () => {
    const entries = LOCAL_NETWORKS.map((local) => local.entry("http://127.0.0.1:8545", "seed"));
    expect(FAMILIES.networksSchema.parse(entries)).toHaveLength(LOCAL_NETWORKS.length);
    expect(new Set(LOCAL_NETWORKS.map((local) => local.process)).size).toBe(LOCAL_NETWORKS.length);
  });

  it("of families that are built are all served", () => {
    const families = new Set(LOCAL_NETWORKS.map(({ family }) => family));
    expect([...families].sort()).toEqual(FAMILIES.families.map(({ name }) => name).sort());
  });
});

describe("of the networks", () => {
  it("all are chosen in the table's order, whatever the order of the names", () => {
    expect(chooseNetworks("all")).toEqual(LOCAL_NETWORKS);
    const names = ["Algorand", "Polygon"];
    expect(chooseNetworks(names).map(({ network }) => network)).toEqual([
      FIRST_NETWORK.network,
      "Polygon",
      "Algorand",
    ]);
  });

  it("INV-9 an unknown one is refused with those there are", () => {
    expect(() => chooseNetworks(["Polygone"])).toThrow(LaunchError);
    expect(() => chooseNetworks(["Polygone"])).toThrow("there is no local node for Polygone");
  });
});
