import { InvalidArgumentError } from "commander";

/** Simulated ledgers make no more blocks at once. */
const BLOCKS_MAX = 2_000;

/** Reads a number of blocks. */
export const blockCount = (text: string): number => {
  const blocks = /^\d{1,4}$/.test(text) ? Number(text) : 0;
  if (blocks > 0 && blocks <= BLOCKS_MAX) return blocks;
  throw new InvalidArgumentError(`not a whole number from 1 to ${BLOCKS_MAX}`);
};
