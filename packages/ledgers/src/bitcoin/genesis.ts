import { secp256k1 } from "@noble/curves/secp256k1.js";
import { ripemd160 } from "@noble/hashes/legacy.js";
import { sha256 } from "@noble/hashes/sha2.js";
import { bytesToHex, utf8ToBytes } from "@noble/hashes/utils.js";
import { addressPaidBy } from "./address.ts";
import { type BitcoindBlock, makeBitcoindBlock } from "./chain/block.ts";
import { ONE_BITCOIN } from "./fee-rate.ts";
import { BITCOIND_NETWORKS, type BitcoindNetwork } from "./network.ts";
import { witnessProgramScript } from "./script/make.ts";

/** The number of the faucet's outputs: it can make this many payments in one block before it has to spend change. */
const FAUCET_COINS = 200;
const FAUCET_COIN = 25_000n * ONE_BITCOIN;
/** 1 January 2026, 00:00 UTC; fixed, so that equal chains and seeds have equal genesis blocks. */
const GENESIS_TIME = 1_767_225_600;

/** The initial state of a ledger. Equal networks and seeds give equal ledgers. */
export interface BitcoindGenesis {
  readonly network: BitcoindNetwork;
  readonly block: BitcoindBlock;
  /** owns the outputs of the genesis block; its key is derived from the seed, which protects nothing of value */
  readonly faucet: {
    readonly address: string;
    readonly script: Uint8Array;
    readonly publicKey: Uint8Array;
    readonly secretKey: Uint8Array;
  };
}

const derived = (chain: string, seed: string, purpose: string): Uint8Array =>
  sha256(utf8ToBytes(JSON.stringify(["simulated bitcoin ledger", chain, seed, purpose])));

const makeFaucet = (network: BitcoindNetwork, seed: string): BitcoindGenesis["faucet"] => {
  const secretKey = derived(network.chain, seed, "faucet");
  const publicKey = secp256k1.getPublicKey(secretKey, true);
  const script = witnessProgramScript(0, ripemd160(sha256(publicKey)));
  return { address: addressPaidBy(script, network) ?? "", script, publicKey, secretKey };
};

/**
 * The genesis block is no real network's, whatever the name, so a transaction of this ledger spends outputs that exist
 * nowhere else.
 * @param chain as bitcoind's `-chain`: main, test (or testnet3), testnet4, signet, regtest
 * @param seed any text: the genesis block and the faucet's key are derived from it
 */
export const makeBitcoindGenesis = (chain: string, seed: string): BitcoindGenesis => {
  const network = Object.hasOwn(BITCOIND_NETWORKS, chain) ? BITCOIND_NETWORKS[chain] : undefined;
  if (network === undefined) {
    const known = Object.keys(BITCOIND_NETWORKS).join(", ");
    throw new RangeError(`there is no Bitcoin network ${chain}; there are: ${known}`);
  }
  const faucet = makeFaucet(network, seed);
  const block = makeBitcoindBlock({
    height: 0,
    previous: undefined,
    time: GENESIS_TIME,
    rewards: Array.from({ length: FAUCET_COINS }, () => ({ amount: FAUCET_COIN, script: faucet.script })),
    mark: bytesToHex(derived(network.chain, seed, "genesis")),
    transactions: [],
    spent: new Map(),
  });
  return { network, block, faucet };
};
