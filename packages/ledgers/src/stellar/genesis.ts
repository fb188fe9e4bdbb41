import { ed25519 } from "@noble/curves/ed25519.js";
import { sha256 } from "@noble/hashes/sha2.js";
import { utf8ToBytes } from "@noble/hashes/utils.js";
import { type HorizonAddress, horizonAddress } from "./address.ts";
import { type HorizonBooks, withAccountEntry } from "./books.ts";
import { withAssetContract } from "./soroban/asset-contract.ts";
import type { HorizonAccount } from "./xdr/ledger-entry.ts";

/** stroops: a hundred billion lumens, the initial supply of the main network */
export const STELLAR_SUPPLY = 1_000_000_000_000_000_000n;
const TELLER_BALANCE = 10_000_000_000_000n;
/**
 * An account can have only one waiting transaction, so several accounts submit the faucet's payments, as in a friendbot.
 */
const TELLERS = 32;
const MOST_PASSPHRASE_CHARACTERS = 64;

export interface HorizonKeyPair {
  readonly address: HorizonAddress;
  readonly secretKey: Uint8Array;
}

/** The initial state of a ledger. Equal passphrases and seeds give equal ledgers. */
export interface HorizonGenesis {
  /** the network passphrase, which every signed hash includes */
  readonly passphrase: string;
  readonly networkId: Uint8Array;
  /** holds the supply at first, and is the source of all funding */
  readonly faucet: HorizonKeyPair;
  /** issues test assets of any code */
  readonly issuer: HorizonKeyPair;
  /** the accounts whose sequence numbers the faucet's transactions use */
  readonly tellers: readonly HorizonKeyPair[];
}

/**
 * @param passphrase such as "Conclave Network"; at most 64 characters
 * @param seed any text: the faucet's keys are derived from it, which protect nothing of value
 */
export const makeHorizonGenesis = (passphrase: string, seed: string): HorizonGenesis => {
  if (passphrase === "" || passphrase.length > MOST_PASSPHRASE_CHARACTERS) {
    throw new RangeError(`a network's passphrase has 1 to ${MOST_PASSPHRASE_CHARACTERS} characters`);
  }
  const pair = (purpose: string): HorizonKeyPair => {
    const secretKey = sha256(utf8ToBytes(JSON.stringify([passphrase, seed, purpose])));
    return { address: horizonAddress(ed25519.getPublicKey(secretKey)), secretKey };
  };
  return {
    passphrase,
    networkId: sha256(utf8ToBytes(passphrase)),
    faucet: pair("faucet"),
    issuer: pair("issuer"),
    tellers: Array.from({ length: TELLERS }, (_, at) => pair(`teller ${at}`)),
  };
};

/** A new account without subentries. @param sequence the number before that of its first transaction */
export const newHorizonAccount = (
  address: HorizonAddress,
  balance: bigint,
  sequence: bigint,
): HorizonAccount => ({
  address,
  balance,
  sequence,
  subentries: 0,
  inflationDestination: undefined,
  flags: 0,
  homeDomain: new Uint8Array(),
  thresholds: Uint8Array.of(1, 0, 0, 0),
  signers: [],
  sequenceLedger: 0,
  sequenceTime: 0n,
});

export const horizonOpeningBooks = ({ faucet, issuer, tellers, networkId }: HorizonGenesis): HorizonBooks => {
  const empty: HorizonBooks = { below: undefined, ledger: 1, entries: new Map() };
  const served = [issuer, ...tellers];
  const rest = STELLAR_SUPPLY - TELLER_BALANCE * BigInt(served.length);
  const accounts = served.reduce(
    (books, { address }) => withAccountEntry(books, newHorizonAccount(address, TELLER_BALANCE, 0n)),
    withAccountEntry(empty, newHorizonAccount(faucet.address, rest, 0n)),
  );
  return withAssetContract(accounts, { type: "native", value: undefined }, networkId);
};
