import { secp256k1 } from "@noble/curves/secp256k1.js";
import { keccak_256 } from "@noble/hashes/sha3.js";
import { tronAddress } from "./rules/address.ts";

const COMPRESSED_BYTES = 33;
const ACCOUNT_BYTES = 20;

/**
 * The address of the account that a public key controls initially: from the last bytes of the key's Keccak-256, as on Ethereum
 * (TRON Developers, "Account").
 * @param compressedPublicKey 33 bytes, SEC 1 compressed
 * @throws RangeError, Error when the bytes are no point of secp256k1; callers verify keys first
 */
export const tronAddressOf = (compressedPublicKey: Uint8Array): string => {
  if (compressedPublicKey.length !== COMPRESSED_BYTES) throw new RangeError("a public key takes 33 bytes");
  const point = secp256k1.Point.fromBytes(compressedPublicKey).toBytes(false);
  return tronAddress(keccak_256(point.slice(1)).slice(-ACCOUNT_BYTES));
};
