/** The largest amount on chains with unsigned 64-bit amounts, such as Algorand and Solana. */
export const UINT64_MAX: bigint = 2n ** 64n - 1n;

/** Whether digits are a number from 1 to 2^64 − 1, without a leading zero. */
export const isPositiveUint64 = (digits: string): boolean =>
  /^[1-9][0-9]{0,19}$/.test(digits) && BigInt(digits) <= UINT64_MAX;
