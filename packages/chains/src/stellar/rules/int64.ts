/** The largest amount on Stellar, in stroops or an asset's smallest unit: amounts are signed 64-bit numbers. */
export const INT64_MAX: bigint = 2n ** 63n - 1n;

/** Whether digits are an amount from 1 to 2^63 − 1, without a leading zero. */
export const isPositiveInt64 = (digits: string): boolean =>
  /^[1-9][0-9]{0,18}$/.test(digits) && BigInt(digits) <= INT64_MAX;
