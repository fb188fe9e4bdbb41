/** The largest number of protocols whose amounts are unsigned and have 64 bits, such as Algorand and Solana. */
export const UINT64_MAX: bigint = 2n ** 64n - 1n;

/** Whether digits are a number from one to the largest, without a leading zero. */
export const isPositiveUint64 = (digits: string): boolean =>
  /^[1-9][0-9]{0,19}$/.test(digits) && BigInt(digits) <= UINT64_MAX;
