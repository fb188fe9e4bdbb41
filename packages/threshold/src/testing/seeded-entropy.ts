import { shake256 } from "@noble/hashes/sha3.js";
import { utf8ToBytes } from "@noble/hashes/utils.js";
import type { Entropy } from "../entropy.ts";

/** INSECURE. The SHAKE256 stream of a seed, so that the same seed gives the same run of a protocol. */
export const seededEntropy = (seed: string): Entropy => {
  const stream = shake256.create();
  stream.update(utf8ToBytes(`conclave/v1/seeded-entropy/${seed}`));
  return (length) => stream.xof(length);
};
