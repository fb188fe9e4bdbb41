import { secp256k1 } from "@noble/curves/secp256k1.js";
import { sha256 } from "@noble/hashes/sha2.js";
import { utf8ToBytes } from "@noble/hashes/utils.js";
import { type JavaTronAddress, javaTronAddressOfKey } from "./address.ts";
import { type JavaTronBlock, sealJavaTronBlock } from "./block.ts";
import { type JavaTronBooks, newJavaTronAccount } from "./books.ts";

/** sun: ninety billion TRX, which fits into 64 bits */
const SUPPLY = 90_000_000_000_000_000n;
const MOST_NAME_CHARACTERS = 64;

interface JavaTronKey {
  readonly address: JavaTronAddress;
  readonly secretKey: Uint8Array;
}

/** The initial state of a ledger. Equal names and seeds give equal ledgers. */
export interface JavaTronGenesis {
  readonly chain: string;
  readonly block: JavaTronBlock;
  /** holds all money at first; its key is derived from the seed, which protects nothing of value */
  readonly faucet: JavaTronKey;
  /** makes all blocks */
  readonly witness: JavaTronKey;
}

/**
 * Block 0 is no real network's, whatever the name, so a transaction of this ledger refers to no block of a real network.
 * @param chain any name of 1 to 64 characters
 * @param seed any text: the faucet's key is derived from it
 */
export const makeJavaTronGenesis = (chain: string, seed: string): JavaTronGenesis => {
  if (chain === "" || chain.length > MOST_NAME_CHARACTERS) {
    throw new RangeError(`the name of a TRON network has 1 to ${MOST_NAME_CHARACTERS} characters`);
  }
  const derived = (purpose: string): Uint8Array =>
    sha256(utf8ToBytes(JSON.stringify(["TRON", chain, seed, purpose])));
  const keyOf = (purpose: string): JavaTronKey => {
    const secretKey = derived(purpose);
    return { secretKey, address: javaTronAddressOfKey(secp256k1.getPublicKey(secretKey, false)) };
  };
  const witness = keyOf("witness");
  const content = { number: 0, time: 0, parent: derived("genesis"), transactions: [] };
  return { chain, witness, faucet: keyOf("faucet"), block: sealJavaTronBlock(witness.address, content) };
};

/** @param time milliseconds since 1970 */
export const openingJavaTronBooks = ({ faucet }: JavaTronGenesis, time: number): JavaTronBooks => ({
  accounts: new Map([[faucet.address, { ...newJavaTronAccount(time), balance: SUPPLY }]]),
  assets: new Map(),
  contracts: new Map(),
});
