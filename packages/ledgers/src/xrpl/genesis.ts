import { secp256k1 } from "@noble/curves/secp256k1.js";
import { utf8ToBytes } from "@noble/hashes/utils.js";
import { type RippledAddress, rippledAddressOfKey } from "./address.ts";
import type { RippledBooks } from "./books.ts";
import { rippledDigest } from "./digest.ts";
import { RIPPLED_TOTAL_DROPS } from "./rules/fees.ts";

const NETWORK_ID_MAX = 0xffff_ffff;

/** The initial state of a ledger. Equal network ids and seeds give equal ledgers. */
export interface RippledGenesis {
  /** the NetworkID of transactions, if it is above 1024 */
  readonly networkId: number;
  /** holds all XRP at the beginning; its key comes from the seed, which guards nothing of value */
  readonly faucet: {
    readonly address: RippledAddress;
    readonly secretKey: Uint8Array;
    readonly publicKey: Uint8Array;
  };
}

/** The first digest that is a key; nearly every one is. */
const secretKeyOf = (seed: Uint8Array): Uint8Array => {
  const digest = rippledDigest(seed);
  return secp256k1.utils.isValidSecretKey(digest) ? digest : secretKeyOf(digest);
};

/**
 * @param chain the network id as a decimal number, from 0 to 4294967295; that of no real network, if nothing that is made
 *   here shall be valid there
 * @param seed any text: it makes the faucet's key
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

/** The main network gave its first account number 1 too. */
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
