import type { Asset, Network } from "@conclave/custody";

/** One bitcoin is a hundred million satoshis. */
export const BITCOIN_NATIVE_DECIMALS = 8;
/** Satoshis: there will never be more than 21 million bitcoins (MAX_MONEY; Bitcoin Core, consensus/amount.h). */
export const BITCOIN_AMOUNT_MAX: bigint = 2_100_000_000_000_000n;

/** The parameters that distinguish addresses of Bitcoin's networks (Bitcoin Core, kernel/chainparams.cpp). */
export interface BitcoinParameters {
  /** the prefix of a segwit address (BIP-173) */
  readonly humanPart: string;
  /** the first byte of a base58 address that pays to a public key hash */
  readonly publicKeyHash: number;
  /** the first byte of a base58 address that pays to a script hash */
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
/** All Bitcoin test networks share one form of address. */
const TEST: BitcoinParameters = {
  humanPart: "tb",
  publicKeyHash: 0x6f,
  scriptHash: 0xc4,
  asset: coin("tBTC"),
};

/** The forms of address of all networks. */
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
