import { z } from "zod";

/** Upper bound; a hundred thousand blocks are weeks on most chains. */
const BLOCKS_MAX = 100_000;
/** Each bump needs a signature and raises the fee by at least an eighth: twenty bumps raise it tenfold. */
const BUMPS_MAX = 20;

/**
 * When the service raises the fee of a waiting transaction by itself: part of an entry of the networks file. If absent, the
 * service raises no fee, because only the operator decides on spending more.
 */
export interface FeeBumps {
  /** the fee is raised each time this many blocks have passed without the transaction */
  readonly afterBlocks: number;
  /** most bumps for one request */
  readonly most: number;
  /** the highest bid, as digits in the family's unit: wei a gas (maxFeePerGas) on EVM, satoshis a virtual byte on Bitcoin */
  readonly cap: string;
}

/** @param cap schema of a bid in the family's unit */
export const feeBumpsSchema = (cap: z.ZodType<string>) =>
  z.strictObject({ afterBlocks: z.int().min(1).max(BLOCKS_MAX), most: z.int().min(1).max(BUMPS_MAX), cap });
