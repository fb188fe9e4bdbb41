import { z } from "zod";
import { fail, ok, type Result } from "./errors.ts";

/**
 * Networks of the interface by family (wire interface, section F.1), in the order of that section; and those
 * of the Python client `dfns-sdk` 1.0.4. The names are here rather than in the families' rules, since schemas
 * and records also read the names of families that are not built.
 */
const BY_FAMILY = {
  Evm: [
    "Adi AdiTestnet AdiTestnetAb ArbitrumOne ArbitrumGoerli ArbitrumSepolia Arc ArcTestnet Areum AvalancheC",
    "AvalancheCFuji Base BaseGoerli BaseSepolia Bob BobSepolia Bsc BscTestnet Berachain BerachainBArtio",
    "BerachainBepolia BesuTestnet Celo CeloAlfajores CeloSepolia Codex CodexSepolia Ethereum EthereumClassic",
    "EthereumClassicMordor EthereumGoerli EthereumSepolia EthereumHolesky EthereumHoodi FantomOpera",
    "FantomTestnet FlareC FlareCCoston2 FlowEvm FlowEvmTestnet HyperEvm HyperEvmTestnet Ink InkSepolia Monad",
    "MonadTestnet Optimism OptimismGoerli OptimismSepolia Plasma PlasmaTestnet Plume PlumeSepolia Polygon",
    "PolygonAmoy PolygonMumbai Race RaceSepolia Rayls RaylsTestnet Robinhood RobinhoodSepolia Sonic",
    "SonicTestnet Tempo TempoAndantino TempoModerato Tsc TscTestnet1 Xdc XdcApothem XLayer XLayerSepolia",
  ],
  Bitcoin: ["Bitcoin BitcoinSignet BitcoinTestnet3 BitcoinTestnet4"],
  BitcoinCash: ["BitcoinCash BitcoinCashTestnet"],
  Dogecoin: ["Dogecoin DogecoinTestnet"],
  Litecoin: ["Litecoin LitecoinTestnet"],
  Algorand: ["Algorand AlgorandTestnet"],
  Aptos: ["Aptos AptosTestnet Movement MovementTestnet"],
  Canton: ["Canton CantonDevnet CantonTestnet"],
  Cardano: ["Cardano CardanoPreprod"],
  Concordium: ["Concordium ConcordiumTestnet"],
  Cosmos: ["BabylonGenesis BabylonTestnet5 CosmosHub4 CosmosIcsTestnet SeiAtlantic2 SeiPacific1"],
  Hedera: ["Hedera HederaTestnet"],
  Icp: ["InternetComputer Origyn"],
  Ion: ["Ion IonTestnet"],
  Iota: ["Iota IotaTestnet IotaZodianet"],
  Kaspa: ["Kaspa KaspaTestnet11"],
  Near: ["Near NearTestnet"],
  Polymesh: ["Polymesh PolymeshTestnet"],
  Solana: ["Solana SolanaDevnet"],
  Starknet: ["Starknet StarknetSepolia"],
  Stellar: ["Stellar StellarTestnet"],
  Substrate: ["Kusama KusamaAssetHub Paseo PaseoAssetHub Polkadot PolkadotAssetHub Westend WestendAssetHub"],
  Sui: ["Sui SuiTestnet"],
  Tezos: ["Tezos TezosGhostnet TezosShadownet"],
  Ton: ["Ton TonTestnet"],
  Tron: ["Tron TronNile"],
  Xrpl: ["XrpLedger XrpLedgerTestnet"],
  /** signatures only: no address and no transfers */
  Key: ["KeyECDSA KeyEdDSA KeyECDSAStark"],
} as const;

export type NetworkFamily = keyof typeof BY_FAMILY;

/** The name of a chain family of the interface, whether or not the family is built. */
export const networkFamilySchema = z.custom<NetworkFamily>(
  (name) => typeof name === "string" && Object.hasOwn(BY_FAMILY, name),
);

const families: ReadonlyMap<string, NetworkFamily> = new Map(
  Object.entries<readonly string[]>(BY_FAMILY).flatMap(([name, lines]) => {
    const family = networkFamilySchema.parse(name);
    return lines.flatMap((line) => line.split(" ")).map((network) => [network, family] as const);
  }),
);

/** Every network that the interface knows, whether or not this cluster serves it. */
export const NETWORKS: readonly string[] = [...families.keys()];

/** A network name of the interface. The cluster's networks file says which networks it serves. */
export const networkSchema = z
  .string()
  .refine((text) => families.has(text), { error: "not a network of the interface", abort: true })
  .brand<"network">();
export type Network = z.infer<typeof networkSchema>;

/** The family of a network: it decides how addresses, transactions and fees work. */
export const familyOf = (network: Network): NetworkFamily => {
  const family = families.get(network);
  if (family === undefined) throw new Error(`a network without a family passed the door: ${network}`);
  return family;
};

/** Whether wallets of a network have an address: true except for pseudo networks. */
export const hasAddresses = (network: Network): boolean => familyOf(network) !== "Key";

/** The pseudo networks that every cluster serves: they need signers, but no chain. */
const PSEUDO_NETWORKS: readonly Network[] = ["KeyECDSA", "KeyEdDSA"].map((name) => networkSchema.parse(name));

/** The networks that wallets may have, given the chains that are served. */
export const walletNetworks = (chains: readonly Network[]): readonly Network[] => [
  ...chains,
  ...PSEUDO_NETWORKS,
];

/**
 * Judges the network of a new wallet.
 * @param chains the networks of this cluster's networks file; pseudo networks are served beside them
 * @returns the network, NetworkUnknown when the interface does not know it, or NetworkNotEnabled
 */
export const judgeNetwork = (text: string, chains: readonly Network[]): Result<Network> => {
  const enabled = walletNetworks(chains);
  const network = networkSchema.safeParse(text);
  if (!network.success) return fail("NetworkUnknown", { networks: enabled });
  return enabled.includes(network.data) ? ok(network.data) : fail("NetworkNotEnabled", { networks: enabled });
};

/** Every kind of transfer, whether or not this cluster supports it. */
export const TRANSFER_KINDS = [
  "Native",
  "Asa",
  "Erc20",
  "Erc721",
  "Sep41",
  "Spl",
  "Spl2022",
  "Trc10",
  "Trc20",
  "Trc721",
] as const;
export type TransferKind = (typeof TRANSFER_KINDS)[number];

/** Whether a transfer of this kind moves an amount, and not one token that is unlike all others. */
export const isFungible = (kind: TransferKind): boolean => kind !== "Erc721" && kind !== "Trc721";

/**
 * An asset as transfers show it (service interface, Transfer.metadata) and records of transfers and deposits
 * store it; unknown fields are left out.
 */
export const transferAssetSchema = z.object({
  symbol: z.string().optional(),
  decimals: z.int().optional(),
  verified: z.boolean().optional(),
  /** the value of one whole unit when the transfer was requested, by currency */
  quotes: z.record(z.string(), z.number()).readonly().optional(),
});
export type Asset = Readonly<z.infer<typeof transferAssetSchema>>;
