/** The parameters by which Bitcoin's networks differ. @source Bitcoin Core, src/kernel/chainparams.cpp */
export interface BitcoindNetwork {
  /** as getblockchaininfo names the chain */
  readonly chain: string;
  /** version byte of P2PKH addresses */
  readonly keyHashPrefix: number;
  /** version byte of P2SH addresses */
  readonly scriptHashPrefix: number;
  /** human-readable prefix of SegWit addresses */
  readonly segwitPrefix: string;
  /** blocks between two halvings of the reward */
  readonly halvingBlocks: number;
}

const TEST = { keyHashPrefix: 0x6f, scriptHashPrefix: 0xc4, segwitPrefix: "tb", halvingBlocks: 210_000 };

/** By the names that bitcoind's `-chain` takes; "testnet3" is an alias of "test". */
export const BITCOIND_NETWORKS: Readonly<Record<string, BitcoindNetwork>> = {
  main: {
    chain: "main",
    keyHashPrefix: 0x00,
    scriptHashPrefix: 0x05,
    segwitPrefix: "bc",
    halvingBlocks: 210_000,
  },
  test: { chain: "test", ...TEST },
  testnet3: { chain: "test", ...TEST },
  testnet4: { chain: "testnet4", ...TEST },
  signet: { chain: "signet", ...TEST },
  regtest: { chain: "regtest", ...TEST, segwitPrefix: "bcrt", halvingBlocks: 150 },
};
