import type { Asset, Network } from "@conclave/custody";

/** One bitcoin is a hundred million satoshis. */
export const BITCOIN_NATIVE_DECIMALS = 8;
/** Satoshis: no more than 21 million bitcoins will ever be (MAX_MONEY, Bitcoin Core, consensus/amount.h). */
export const BITCOIN_AMOUNT_MAX: bigint = 2_100_000_000_000_000n;

/** The parameters that distinguish addresses of Bitcoin's networks (Bitcoin Core, kernel/chainparams.cpp). */
export interface BitcoinParameters {
  /** the prefix of a segwit address (BIP-173) */
  readonly humanPart: string;
  /** the first byte of a base58 address that pays to the hash of a public key */
  readonly publicKeyHash: number;
  /** the same of one that pays to the hash of a script */
  readonly scriptHash: number;
  readonly asset: Asset;
}

const coin = (symbol: string): Asset => ({ symbol, decimals: BITCOIN_NATIVE_DECIMALS, verified: true });

const MAIN: BitcoinParameters = {
  humanPart: "bc",
  publicKeyHash: 0x00,
  scriptHash: 0x05,
  asset: coin("BTC"),
};
/** All of Bitcoin's test networks spell addresses alike. */
const TEST: BitcoinParameters = {
  humanPart: "tb",
  publicKeyHash: 0x6f,
  scriptHash: 0xc4,
  asset: coin("tBTC"),
};

/** Every way in which addresses are spelled. */
export const BITCOIN_PARAMETERS: readonly BitcoinParameters[] = [MAIN, TEST];

const BY_NETWORK: ReadonlyMap<string, BitcoinParameters> = new Map([
  ["Bitcoin", MAIN],
  ["BitcoinTestnet3", TEST],
  ["BitcoinTestnet4", TEST],
  ["BitcoinSignet", TEST],
]);

/** @throws TypeError for a network of another family */
export const bitcoinParameters = (network: Network): BitcoinParameters => {
  const found = BY_NETWORK.get(network);
  if (found === undefined) throw new TypeError(`${network} is no network of Bitcoin`);
  return found;
};
