import {
  makeAgaveGenesis,
  makeAlgodGenesis,
  makeBitcoindGenesis,
  makeJavaTronGenesis,
} from "@conclave/ledgers/genesis";
import { DEVELOPMENT_CHAIN_ID, DEVELOPMENT_NETWORK } from "../development-network.ts";
import { LaunchError } from "../launch-error.ts";
import { evmNetwork } from "./evm-network.ts";
import { ledgerNetwork } from "./ledger-network.ts";
import type { LocalNetwork } from "./local-network.ts";

const ETHER = { feeCap: "0.1", price: { USD: "2000", EUR: "1800" } } as const;
const POL = { feeCap: "10", price: { USD: "0.5", EUR: "0.45" } } as const;
const BNB = { feeCap: "1", price: { USD: "600", EUR: "540" } } as const;
const AVAX = { feeCap: "1", price: { USD: "20", EUR: "18" } } as const;
const MON = { feeCap: "10", price: { USD: "0.05", EUR: "0.045" } } as const;
const HYPE = { feeCap: "1", price: { USD: "40", EUR: "36" } } as const;
const CELO = { feeCap: "10", price: { USD: "0.2", EUR: "0.18" } } as const;
/** Arc's native coin is USDC, with 18 decimals. */
const ARC = { feeCap: "1", price: { USD: "1", EUR: "0.9" } } as const;

const algorand = (network: string, chain: string): LocalNetwork =>
  ledgerNetwork({
    network,
    family: "Algorand",
    finality: "a block is final when it is made",
    decimals: 6,
    price: { USD: "0.2", EUR: "0.18" },
    chain,
    entry: (algodUrl, seed) => ({
      genesisId: chain,
      genesisHash: Buffer.from(makeAlgodGenesis(chain, seed).hash).toString("base64"),
      algodUrl,
      feeCap: "100000",
    }),
  });

const stellar = (network: string, chain: string): LocalNetwork =>
  ledgerNetwork({
    network,
    family: "Stellar",
    hasTimedDeadlines: true,
    finality: "a ledger is final when it is closed",
    decimals: 7,
    price: { USD: "0.25", EUR: "0.22" },
    chain,
    entry: (horizonUrl) => ({
      passphrase: chain,
      horizonUrl,
      rpcUrl: `${horizonUrl}/rpc`,
      feeCap: "1000000",
    }),
  });

/**
 * @param networkId above 1024, so that transactions state it, and no real network's, so that transactions signed here are
 * invalid on real networks
 */
const xrpLedger = (network: string, networkId: number): LocalNetwork =>
  ledgerNetwork({
    network,
    family: "Xrpl",
    finality: "a ledger is final when it is validated",
    ledger: "XrpLedger",
    // real ledgers take four seconds, too long for a test that waits for a dozen
    blockMs: 2_000,
    decimals: 6,
    price: { USD: "2", EUR: "1.8" },
    chain: String(networkId),
    entry: (rippledUrl) => ({ networkId, rippledUrl, feeCap: "100000" }),
  });

/**
 * @param chain the real network's name, because addresses need its prefixes. The coins are derived from chain and seed
 * and exist only here, so no transaction made here can spend a coin of a real network
 */
const bitcoin = (network: string, chain: string): LocalNetwork =>
  ledgerNetwork({
    network,
    family: "Bitcoin",
    // real blocks take ten minutes
    blockMs: 2_000,
    decimals: 8,
    price: { USD: "60000", EUR: "54000" },
    chain,
    entry: (bitcoindUrl, seed) => ({
      genesisHash: makeBitcoindGenesis(chain, seed).block.hash,
      bitcoindUrl,
      finality: 1,
      feeCap: "100000",
    }),
  });

const tron = (network: string, chain: string): LocalNetwork =>
  ledgerNetwork({
    network,
    family: "Tron",
    hasTimedDeadlines: true,
    // real blocks take three seconds
    blockMs: 1_000,
    decimals: 6,
    price: { USD: "0.3", EUR: "0.27" },
    chain,
    entry: (fullNodeUrl, seed) => ({
      genesisBlock: makeJavaTronGenesis(chain, seed).block.id,
      fullNodeUrl,
      feeCap: "100000000",
    }),
  });

const solana = (network: string, chain: string): LocalNetwork =>
  ledgerNetwork({
    network,
    family: "Solana",
    // real slots take 400 ms, and a block is final after 32 more: too long for a test that waits for a dozen
    blockMs: 200,
    blocksToCount: 2,
    decimals: 9,
    price: { USD: "150", EUR: "135" },
    chain,
    entry: (solanaUrl, seed) => ({
      genesisHash: makeAgaveGenesis(chain, seed).hash,
      solanaUrl,
      feeCap: "10000000",
    }),
  });

/** The network that every cluster serves. Its node runs from the start. */
export const FIRST_NETWORK: LocalNetwork = evmNetwork({
  network: DEVELOPMENT_NETWORK,
  chainId: DEVELOPMENT_CHAIN_ID,
  process: "anvil",
  ...ETHER,
});

/**
 * The networks that can have a local node, with the parameters of their chains. Append new ones, because ports depend on
 * the order.
 */
export const LOCAL_NETWORKS: readonly LocalNetwork[] = [
  FIRST_NETWORK,
  evmNetwork({ network: "Ethereum", chainId: 1, ...ETHER }),
  evmNetwork({ network: "EthereumHoodi", chainId: 560_048, ...ETHER }),
  evmNetwork({ network: "Polygon", chainId: 137, ...POL }),
  evmNetwork({ network: "PolygonAmoy", chainId: 80_002, ...POL }),
  evmNetwork({ network: "Base", chainId: 8_453, ...ETHER }),
  evmNetwork({ network: "BaseSepolia", chainId: 84_532, ...ETHER }),
  evmNetwork({ network: "ArbitrumOne", chainId: 42_161, ...ETHER }),
  evmNetwork({ network: "ArbitrumSepolia", chainId: 421_614, ...ETHER }),
  evmNetwork({ network: "Optimism", chainId: 10, ...ETHER }),
  evmNetwork({ network: "OptimismSepolia", chainId: 11_155_420, ...ETHER }),
  evmNetwork({ network: "Bsc", chainId: 56, ...BNB }),
  evmNetwork({ network: "BscTestnet", chainId: 97, ...BNB }),
  evmNetwork({ network: "AvalancheC", chainId: 43_114, ...AVAX }),
  evmNetwork({ network: "AvalancheCFuji", chainId: 43_113, ...AVAX }),
  algorand("Algorand", "conclave-main-v1"),
  algorand("AlgorandTestnet", "conclave-test-v1"),
  stellar("Stellar", "Conclave main ; v1"),
  stellar("StellarTestnet", "Conclave test ; v1"),
  xrpLedger("XrpLedger", 20_261),
  xrpLedger("XrpLedgerTestnet", 20_262),
  bitcoin("Bitcoin", "main"),
  bitcoin("BitcoinTestnet3", "testnet3"),
  bitcoin("BitcoinSignet", "signet"),
  tron("Tron", "conclave-tron-main"),
  tron("TronNile", "conclave-tron-nile"),
  solana("Solana", "conclave-main"),
  solana("SolanaDevnet", "conclave-devnet"),
  evmNetwork({ network: "Monad", chainId: 143, ...MON }),
  evmNetwork({ network: "MonadTestnet", chainId: 10_143, ...MON }),
  evmNetwork({ network: "HyperEvm", chainId: 999, ...HYPE }),
  evmNetwork({ network: "HyperEvmTestnet", chainId: 998, ...HYPE }),
  evmNetwork({ network: "Celo", chainId: 42_220, ...CELO }),
  evmNetwork({ network: "CeloSepolia", chainId: 11_142_220, ...CELO }),
  evmNetwork({ network: "Arc", chainId: 5_042, ...ARC }),
  evmNetwork({ network: "ArcTestnet", chainId: 5_042_002, ...ARC }),
  bitcoin("BitcoinTestnet4", "testnet4"),
];

/**
 * The networks with these names, in the table's order, and always the first network.
 * @param names "all" for the whole table
 * @throws LaunchError that lists the known names
 */
export const chooseNetworks = (names: "all" | readonly string[]): readonly LocalNetwork[] => {
  if (names === "all") return LOCAL_NETWORKS;
  const known = new Set<string>(LOCAL_NETWORKS.map(({ network }) => network));
  const unknown = names.filter((name) => !known.has(name));
  if (unknown.length > 0) {
    throw new LaunchError(
      `there is no local node for ${unknown.join(", ")}`,
      `Choose from ${[...known].join(", ")}; or name a real node in a file of NODES=….`,
    );
  }
  return LOCAL_NETWORKS.filter((local) => local === FIRST_NETWORK || names.includes(local.network));
};
