import { type Asset, familyOf, type Network, type NetworkFamily } from "./network.ts";

const ETHER_NETWORKS =
  /^(Ethereum(Goerli|Sepolia|Holesky|Hoodi)?|(Arbitrum(One|Goerli|Sepolia))|Base(Goerli|Sepolia)?|Optimism(Goerli|Sepolia)?|Bob(Sepolia)?|Ink(Sepolia)?)$/;
const OTHER_COINS: readonly (readonly [RegExp, string])[] = [
  [/^AvalancheC(Fuji)?$/, "AVAX"],
  [/^Bsc(Testnet)?$/, "BNB"],
  [/^Berachain/, "BERA"],
  [/^Celo(Alfajores)?$/, "CELO"],
  [/^EthereumClassic(Mordor)?$/, "ETC"],
  [/^Fantom/, "FTM"],
  [/^FlareC$/, "FLR"],
  [/^FlareCCoston2$/, "C2FLR"],
  [/^FlowEvm/, "FLOW"],
  [/^Polygon/, "POL"],
  [/^Sonic/, "S"],
  [/^Xdc/, "XDC"],
  [/^XLayer/, "OKB"],
  [/^Plasma/, "XPL"],
  [/^Plume/, "PLUME"],
];
/** Decimals of the native coins of each family that is built. */
const DECIMALS: Partial<Record<NetworkFamily, number>> = { Evm: 18 };

/** How a network divides its native coin; 0 where this table does not know it. */
export const nativeDecimalsOf = (network: Network): number => DECIMALS[familyOf(network)] ?? 0;

/** The native coin of a network; empty where this table does not know it. */
export const nativeAssetOf = (network: Network): Asset => {
  const symbol = ETHER_NETWORKS.test(network)
    ? "ETH"
    : OTHER_COINS.find(([pattern]) => pattern.test(network))?.[1];
  return symbol === undefined ? {} : { symbol, decimals: nativeDecimalsOf(network), verified: true };
};
