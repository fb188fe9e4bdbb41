import { bytesToNumberBE } from "@noble/curves/utils.js";
import { bitLength, isUnit } from "./arithmetic/integers.ts";

/** A source of uniform random bytes that the caller provides: the operating system in a process, a seeded stream in a test. */
export type Entropy = (length: number) => Uint8Array;

const REJECTIONS_MAX = 10_000; // a uniform source is rejected this often with probability below 2^-10000

/** A uniform integer in [0, 2^bits). */
export const sampleBits = (entropy: Entropy, bits: number): bigint => {
  const excess = BigInt((8 - (bits % 8)) % 8);
  return bits === 0 ? 0n : bytesToNumberBE(entropy(Math.ceil(bits / 8))) >> excess;
};

/** A uniform integer in [0, bound), by rejection. */
export const sampleBelow = (entropy: Entropy, bound: bigint): bigint => {
  const bits = bitLength(bound - 1n);
  for (let tries = 0; tries < REJECTIONS_MAX; tries++) {
    const candidate = sampleBits(entropy, bits);
    if (candidate < bound) return candidate;
  }
  throw new Error("the entropy source does not behave like one");
};

/** A uniform integer in [1, bound). */
export const sampleNonZero = (entropy: Entropy, bound: bigint): bigint =>
  sampleBelow(entropy, bound - 1n) + 1n;

/** A uniform integer in [-bound, bound]: the paper's ±bound. */
export const sampleSymmetric = (entropy: Entropy, bound: bigint): bigint =>
  sampleBelow(entropy, 2n * bound + 1n) - bound;

/** A uniform element of Z*_modulus, by rejection. */
export const sampleUnit = (entropy: Entropy, modulus: bigint): bigint => {
  for (let tries = 0; tries < REJECTIONS_MAX; tries++) {
    const candidate = sampleBelow(entropy, modulus);
    if (isUnit(candidate, modulus)) return candidate;
  }
  throw new Error("the entropy source does not behave like one");
};
