import { rippledDigest, rippledHashPrefix, rippledHex } from "../digest.ts";

/** The id of a transaction: the digest of all its bytes, signature included. */
export const rippledTransactionHash = (blob: Uint8Array): string =>
  rippledHex(rippledDigest(rippledHashPrefix("TXN"), blob));
