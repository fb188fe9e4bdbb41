import { ed25519 } from "@noble/curves/ed25519.js";
import { sha512_256 } from "@noble/hashes/sha2.js";
import { type AlgodAddress, addressOfKey } from "./address.ts";
import { type AlgodBooks, NO_ACCOUNT } from "./books.ts";
import { domainSeparated } from "./transaction/identity.ts";

/** microalgos: ten billion algos, as on the main network */
const SUPPLY = 10_000_000_000_000_000n;
const FEE_SINK_BALANCE = 100_000n;
/**
 * Algorand's initial transaction count: programs use smaller numbers as indexes into their arrays of accounts and assets.
 */
const FIRST_TRANSACTION_COUNT = 1000n;
const MOST_ID_CHARACTERS = 64;

/** The initial state of a ledger. Equal ids and seeds give equal ledgers. */
export interface AlgodGenesis {
  readonly id: string;
  /** 32 bytes, in every transaction's signed bytes */
  readonly hash: Uint8Array;
  readonly feeSink: AlgodAddress;
  readonly rewardsPool: AlgodAddress;
  /** holds all money at first; its key is derived from the seed, which protects nothing of value */
  readonly faucet: { readonly address: AlgodAddress; readonly secretKey: Uint8Array };
}

/**
 * The genesis hash is no real network's, whatever the id, so a transaction signed for this ledger is invalid on real
 * networks.
 * @param id such as "conclave-v1"; at most 64 characters
 * @param seed any text: the faucet's key and the genesis hash are derived from it
 */
export const makeAlgodGenesis = (id: string, seed: string): AlgodGenesis => {
  if (id === "" || id.length > MOST_ID_CHARACTERS) {
    throw new RangeError(`a genesis id has 1 to ${MOST_ID_CHARACTERS} characters`);
  }
  const derived = (purpose: string): Uint8Array =>
    sha512_256(
      domainSeparated(
        "GE",
        new Map([
          ["id", id],
          ["seed", seed],
          ["for", purpose],
        ]),
      ),
    );
  const secretKey = derived("faucet");
  return {
    id,
    hash: derived("genesis"),
    feeSink: addressOfKey(derived("fee sink")),
    rewardsPool: addressOfKey(derived("rewards pool")),
    faucet: { address: addressOfKey(ed25519.getPublicKey(secretKey)), secretKey },
  };
};

export const openingBooks = ({ faucet, feeSink }: AlgodGenesis): AlgodBooks => ({
  below: undefined,
  accounts: new Map([
    [faucet.address, { ...NO_ACCOUNT, balance: SUPPLY - FEE_SINK_BALANCE }],
    [feeSink, { ...NO_ACCOUNT, balance: FEE_SINK_BALANCE }],
  ]),
  assets: new Map(),
  transactionCount: FIRST_TRANSACTION_COUNT,
});
