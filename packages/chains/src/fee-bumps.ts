import { z } from "zod";

/** More is a mistake: a hundred thousand blocks are weeks on most chains. */
const BLOCKS_MAX = 100_000;
/** Each bump is a signature and raises the fee by an eighth at the least: twenty of them make it ten times as high. */
const BUMPS_MAX = 20;

/**
 * When the service raises the fee of a transaction that waits, by itself: an entry of the networks file. Without it nothing is raised,
 * for what may be spent on fees is the operator's word.
 */
export interface FeeBumps {
  /** after so many blocks without the transaction its fee is raised, and again after so many more */
  readonly afterBlocks: number;
  /** so many times for one request, at the most */
  readonly most: number;
  /** the highest bid, as digits in the family's unit: wei a gas (maxFeePerGas) on EVM, satoshis a virtual byte on Bitcoin */
  readonly cap: string;
}

/** @param cap how the family writes its unit */
export const feeBumpsSchema = (cap: z.ZodType<string>) =>
  z.strictObject({ afterBlocks: z.int().min(1).max(BLOCKS_MAX), most: z.int().min(1).max(BUMPS_MAX), cap });
