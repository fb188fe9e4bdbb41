import type { AuxiliaryInfo } from "@conclave/threshold";
import { sha256 } from "@noble/hashes/sha2.js";
import { utf8ToBytes } from "@noble/hashes/utils.js";

/**
 * SHA-256 over the public half of auxiliary info: signers whose digests agree hold the same moduli and bases for
 * everybody. JSON of numbers and hex strings in a fixed order is injective.
 */
export const auxiliaryDigest = (info: AuxiliaryInfo): Uint8Array => {
  const peers = [...info.peers].map(([index, { paillier, pedersen }]) => [
    index,
    ...[paillier.n, pedersen.n, pedersen.s, pedersen.t].map((value) => value.toString(16)),
  ]);
  const fields = ["conclave/v1/auxiliary-digest", info.parameters.name, info.epoch, peers];
  return sha256(utf8ToBytes(JSON.stringify(fields)));
};
