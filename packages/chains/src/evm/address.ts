import { secp256k1 } from "@noble/curves/secp256k1.js";
import type { Address } from "viem";
import { publicKeyToAddress, toHex } from "viem/utils";

const COMPRESSED_BYTES = 33;

/**
 * The account that a public key controls.
 * @param compressedPublicKey 33 bytes, SEC 1 compressed
 * @returns the address with its EIP-55 checksum
 * @throws RangeError, Error when the bytes are no point of secp256k1; callers verify keys first
 */
export const addressOf = (compressedPublicKey: Uint8Array): Address => {
  if (compressedPublicKey.length !== COMPRESSED_BYTES) throw new RangeError("a public key takes 33 bytes");
  return publicKeyToAddress(toHex(secp256k1.Point.fromBytes(compressedPublicKey).toBytes(false)));
};
