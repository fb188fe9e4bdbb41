/** The largest number of Stellar's amounts, in stroops or the smallest unit of an asset: they are signed and have 64 bits. */
export const INT64_MAX: bigint = 2n ** 63n - 1n;

/** Whether digits are an amount from one to the largest, without a leading zero. */
export const isPositiveInt64 = (digits: string): boolean =>
  /^[1-9][0-9]{0,18}$/.test(digits) && BigInt(digits) <= INT64_MAX;
