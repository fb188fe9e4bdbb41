import { networkSchema } from "@conclave/custody";
import { expect, it } from "vitest";
import { EVM_NATIVE_DECIMALS, evmNativeAsset } from "./native-asset.ts";

it.each([
  ["EthereumHoodi", "ETH"],
  ["PolygonAmoy", "POL"],
  ["CeloSepolia", "CELO"],
  ["HyperEvm", "HYPE"],
  ["MonadTestnet", "MON"],
  ["Arc", "USDC"],
  ["ArcTestnet", "USDC"],
])("the native coin of %s is %s, with the decimals of every native coin of EVM", (network, symbol) => {
  expect(evmNativeAsset(networkSchema.parse(network))).toEqual({
    symbol,
    decimals: EVM_NATIVE_DECIMALS,
    verified: true,
  });
});

it.each(["Areum", "Rayls", "Robinhood", "Tempo"])(
  "nothing is said of %s, whose coin nobody here knows",
  (network) => {
    expect(evmNativeAsset(networkSchema.parse(network))).toEqual({});
  },
);
