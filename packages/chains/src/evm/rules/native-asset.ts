import type { Asset, Network } from "@conclave/custody";

const ETHER_NETWORKS =
  /^(Ethereum(Goerli|Sepolia|Holesky|Hoodi)?|(Arbitrum(One|Goerli|Sepolia))|Base(Goerli|Sepolia)?|Optimism(Goerli|Sepolia)?|Bob(Sepolia)?|Ink(Sepolia)?)$/;
const OTHER_COINS: readonly (readonly [RegExp, string])[] = [
  [/^Arc(Testnet)?$/, "USDC"],
  [/^AvalancheC(Fuji)?$/, "AVAX"],
  [/^Bsc(Testnet)?$/, "BNB"],
  [/^Berachain/, "BERA"],
  [/^Celo(Alfajores|Sepolia)?$/, "CELO"],
  [/^EthereumClassic(Mordor)?$/, "ETC"],
  [/^Fantom/, "FTM"],
  [/^FlareC$/, "FLR"],
  [/^FlareCCoston2$/, "C2FLR"],
  [/^FlowEvm/, "FLOW"],
  [/^HyperEvm/, "HYPE"],
  [/^Monad/, "MON"],
  [/^Polygon/, "POL"],
  [/^Sonic/, "S"],
  [/^Xdc/, "XDC"],
  [/^XLayer/, "OKB"],
  [/^Plasma/, "XPL"],
  [/^Plume/, "PLUME"],
];
/** Decimals of every EVM network's native coin. */
export const EVM_NATIVE_DECIMALS = 18;

/** The native coin of an EVM network; empty for networks that are not listed here. */
export const evmNativeAsset = (network: Network): Asset => {
  const symbol = ETHER_NETWORKS.test(network)
    ? "ETH"
    : OTHER_COINS.find(([pattern]) => pattern.test(network))?.[1];
  return symbol === undefined ? {} : { symbol, decimals: EVM_NATIVE_DECIMALS, verified: true };
};
