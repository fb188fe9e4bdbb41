import { ed25519 } from "@noble/curves/ed25519.js";
import { sha256 } from "@noble/hashes/sha2.js";
import { utf8ToBytes } from "@noble/hashes/utils.js";
import { base58 } from "@scure/base";
import { type AgaveAddress, agaveAddressOf } from "./address.ts";

/** The initial state of a ledger. Equal chains and seeds give equal ledgers. */
export interface AgaveGenesis {
  readonly chain: string;
  /** base58 of 32 bytes, which identifies the network */
  readonly hash: string;
  /** has all lamports at first; its key is derived from the seed, which protects nothing of value */
  readonly faucet: { readonly address: AgaveAddress; readonly secretKey: Uint8Array };
}

/** Five hundred million SOL. */
export const AGAVE_FAUCET_LAMPORTS = 500_000_000_000_000_000n;
const CHAIN_CHARACTERS_MAX = 64;
/** About this many of 256 slots have no block, like slots that leaders miss on real networks. */
const SKIPPED_OF_256 = 13;

const derived = (chain: string, seed: string, purpose: string): Uint8Array =>
  sha256(utf8ToBytes(JSON.stringify(["simulated solana ledger", chain, seed, purpose])));

/**
 * The genesis is no real network's, whatever the name, so real networks know no blockhash of this ledger.
 * @param chain any name, at most 64 characters
 * @param seed any text: the genesis hash and the faucet's key are derived from it
 */
export const makeAgaveGenesis = (chain: string, seed: string): AgaveGenesis => {
  if (chain.length > CHAIN_CHARACTERS_MAX) {
    throw new RangeError(`a chain's name has at most ${CHAIN_CHARACTERS_MAX} characters`);
  }
  const secretKey = derived(chain, seed, "faucet");
  return {
    chain,
    hash: base58.encode(derived(chain, seed, "genesis")),
    faucet: { address: agaveAddressOf(ed25519.getPublicKey(secretKey)), secretKey },
  };
};

const isSkipped = ({ hash }: AgaveGenesis, slot: number): boolean =>
  (sha256(utf8ToBytes(`${hash} ${slot}`))[0] ?? 0) < SKIPPED_OF_256;

/** The next slot that is not skipped. */
export const nextAgaveSlot = (genesis: AgaveGenesis, slot: number): number => {
  let next = slot + 1;
  while (isSkipped(genesis, next)) next += 1;
  return next;
};
