import { secp256k1 } from "@noble/curves/secp256k1.js";
import { utf8ToBytes } from "@noble/hashes/utils.js";
import { type RippledAddress, rippledAddressOfKey } from "./address.ts";
import type { RippledBooks } from "./books.ts";
import { rippledDigest } from "./digest.ts";
import { RIPPLED_TOTAL_DROPS } from "./rules/fees.ts";

const NETWORK_ID_MAX = 0xffff_ffff;

/** The initial state of a ledger. Equal network ids and seeds give equal ledgers. */
export interface RippledGenesis {
  /** the NetworkID of transactions, which they state only if it is above 1024 */
  readonly networkId: number;
  /** holds all XRP at first; its key is derived from the seed, which protects nothing of value */
  readonly faucet: {
    readonly address: RippledAddress;
    readonly secretKey: Uint8Array;
    readonly publicKey: Uint8Array;
  };
}

/** The first digest that is a valid secret key; nearly every digest is. */
const secretKeyOf = (seed: Uint8Array): Uint8Array => {
  const digest = rippledDigest(seed);
  return secp256k1.utils.isValidSecretKey(digest) ? digest : secretKeyOf(digest);
};

/**
 * @param chain the network id as a decimal number, from 0 to 4294967295. Choose one that no real network has, so that
 * transactions of this ledger are invalid there
 * @param seed any text: the faucet's key is derived from it
 */
export const makeRippledGenesis = (chain: string, seed: string): RippledGenesis => {
  const networkId = /^\d{1,10}$/.test(chain) ? Number(chain) : Number.NaN;
  if (!(networkId <= NETWORK_ID_MAX)) {
    throw new RangeError(
      `an XRP Ledger's chain is its network id, from 0 to ${NETWORK_ID_MAX}, not ${chain}`,
    );
  }
  const secretKey = secretKeyOf(utf8ToBytes(`faucet ${networkId} ${seed}`));
  const publicKey = secp256k1.getPublicKey(secretKey);
  return { networkId, faucet: { address: rippledAddressOfKey(publicKey), secretKey, publicKey } };
};

/** As on the main network, the first account has sequence number 1. */
export const rippledOpeningBooks = ({ faucet }: RippledGenesis): RippledBooks => ({
  below: undefined,
  accounts: new Map([
    [
      faucet.address,
      {
        balance: RIPPLED_TOTAL_DROPS,
        sequence: 1,
        flags: 0,
        tickets: [],
        regularKey: undefined,
        domain: undefined,
        emailHash: undefined,
        messageKey: undefined,
        accountTxnId: undefined,
        previousTxnId: "",
        previousTxnLedger: 0,
      },
    ],
  ]),
  totalDrops: RIPPLED_TOTAL_DROPS,
  accountCount: 1,
});
