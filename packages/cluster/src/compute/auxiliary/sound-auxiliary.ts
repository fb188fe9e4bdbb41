import { type AuxiliaryInfo, auxiliaryInfoCodec, decode } from "@conclave/threshold";
import { bytesToHex } from "@noble/hashes/utils.js";
import { auxiliaryDigest } from "./auxiliary-digest.ts";

/**
 * Whether the encoded bytes hold the auxiliary info that was made. The bytes are compared before peers rely on them,
 * because memory may fail during encoding. The codec itself compares the factors with this party's moduli, and λ with
 * its ring-Pedersen parameters; the digest covers the epoch and all parties.
 *
 * @param bytes auxiliaryInfoCodec
 */
export const isSoundAuxiliary = (bytes: Uint8Array, made: AuxiliaryInfo): boolean => {
  const decoded = decode(auxiliaryInfoCodec(made.parameters), bytes);
  return (
    decoded.ok &&
    decoded.value.self === made.self &&
    bytesToHex(auxiliaryDigest(decoded.value)) === bytesToHex(auxiliaryDigest(made))
  );
};
