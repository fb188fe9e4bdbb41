import { FAMILIES } from "@conclave/chains";
import { familyOf } from "@conclave/custody";
import * as chains from "viem/chains";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { LaunchError } from "../launch-error.ts";
import { chooseNetworks, FIRST_NETWORK, LOCAL_NETWORKS } from "./network-table.ts";

/** EVM networks as viem defines them, by the names of the interface. */
const KNOWN_CHAINS: Readonly<Record<string, { readonly id: number }>> = {
  EthereumSepolia: chains.sepolia,
  Ethereum: chains.mainnet,
  EthereumHoodi: chains.hoodi,
  Polygon: chains.polygon,
  PolygonAmoy: chains.polygonAmoy,
  Base: chains.base,
  BaseSepolia: chains.baseSepolia,
  ArbitrumOne: chains.arbitrum,
  ArbitrumSepolia: chains.arbitrumSepolia,
  Optimism: chains.optimism,
  OptimismSepolia: chains.optimismSepolia,
  Bsc: chains.bsc,
  BscTestnet: chains.bscTestnet,
  AvalancheC: chains.avalanche,
  AvalancheCFuji: chains.avalancheFuji,
  Monad: chains.monad,
  MonadTestnet: chains.monadTestnet,
  HyperEvm: chains.hyperEvm,
  HyperEvmTestnet: chains.hyperliquidEvmTestnet,
  Celo: chains.celo,
  CeloSepolia: chains.celoSepolia,
  Arc: chains.arc,
  ArcTestnet: chains.arcTestnet,
};

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

  it("of EVM have the chain ids that a second library knows", () => {
    const ids = LOCAL_NETWORKS.filter(({ family }) => family === "Evm").map((local) => {
      const entry = z.looseObject({ chainId: z.int() }).parse(local.entry("http://127.0.0.1:8545", "seed"));
      return [local.network, entry.chainId];
    });
    expect(Object.fromEntries(ids)).toEqual(
      Object.fromEntries(Object.entries(KNOWN_CHAINS).map(([network, { id }]) => [network, id])),
    );
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
