import type { Hex } from "viem";
import { hexToBytes, keccak256 } from "viem/utils";

const BLOOM_BYTES = 256;
const BITS = 2_048;
/** Offsets in a hash of the three numbers that each select a bit. */
const NUMBERS_AT = [0, 2, 4];

/**
 * Whether a block's logs may hold a topic (yellow paper, 4.3.1, the Bloom filter of a header).
 * @param bloom of the block's header, 256 bytes; @param topic 32 bytes
 * @returns false when no log of the block has the topic, and for anything that is no filter
 */
export const mayHoldTopic = (bloom: unknown, topic: Hex): boolean => {
  if (typeof bloom !== "string" || !/^0x[0-9a-fA-F]{512}$/.test(bloom)) return false;
  const filter = hexToBytes(`0x${bloom.slice(2)}`);
  const hash = hexToBytes(keccak256(topic));
  return NUMBERS_AT.every((at) => {
    const bit = (((hash[at] ?? 0) << 8) | (hash[at + 1] ?? 0)) % BITS;
    return ((filter[BLOOM_BYTES - 1 - (bit >> 3)] ?? 0) & (1 << (bit & 7))) !== 0;
  });
};
