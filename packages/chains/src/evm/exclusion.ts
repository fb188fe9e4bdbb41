import { concatBytes } from "@noble/curves/utils.js";
import { bytesToBigInt, numberToBytes } from "viem/utils";

/**
 * An EVM exclusion: the account nonce of a transaction on its chain. At most one transaction lands per account nonce and chain.
 *
 *   01, chain id (32 bytes), account nonce (8 bytes)      for a transaction that was read
 *   00, account nonce (8 bytes)                           for a record of version 0.1, which stored no chain
 */
const KNOWN_CHAIN = 1;
const UNKNOWN_CHAIN = 0;
const CHAIN_BYTES = 32;
const NONCE_BYTES = 8;

interface Standing {
  /** undefined in a record of version 0.1: all transactions of its request were on one network */
  readonly chainId: bigint | undefined;
  readonly nonce: bigint;
}

/** The exclusion of a transaction. @throws RangeError when a number does not fit; the decoder refuses such numbers */
export const exclusionOf = (chainId: bigint, nonce: bigint): Uint8Array =>
  concatBytes(
    Uint8Array.of(KNOWN_CHAIN),
    numberToBytes(chainId, { size: CHAIN_BYTES }),
    numberToBytes(nonce, { size: NONCE_BYTES }),
  );

/** The exclusion for a record of version 0.1. */
export const exclusionOfNonce = (nonce: bigint): Uint8Array =>
  concatBytes(Uint8Array.of(UNKNOWN_CHAIN), numberToBytes(nonce, { size: NONCE_BYTES }));

const standingOf = (exclusion: Uint8Array): Standing | undefined => {
  const nonce = () => bytesToBigInt(exclusion.subarray(-NONCE_BYTES));
  switch (exclusion[0]) {
    case KNOWN_CHAIN:
      return exclusion.length === 1 + CHAIN_BYTES + NONCE_BYTES
        ? { chainId: bytesToBigInt(exclusion.subarray(1, 1 + CHAIN_BYTES)), nonce: nonce() }
        : undefined;
    case UNKNOWN_CHAIN:
      return exclusion.length === 1 + NONCE_BYTES ? { chainId: undefined, nonce: nonce() } : undefined;
    default:
      return undefined;
  }
};

/**
 * EVM's rule (INV-4): two transactions exclude each other if they have the same account nonce on the same chain. The account
 * need not be compared: a request has one key. A new record always names its chain; an old one may be of version 0.1.
 */
export const excludes = (earlier: Uint8Array, later: Uint8Array): boolean => {
  const before = standingOf(earlier);
  const now = standingOf(later);
  if (before === undefined || now?.chainId === undefined) return false;
  return before.nonce === now.nonce && (before.chainId === undefined || before.chainId === now.chainId);
};
