/** The largest amount of sun or of a TRC-10 token: the protocol's numbers are signed and have 64 bits. */
export const TRON_INT64_MAX: bigint = 2n ** 63n - 1n;

const UINT256_MAX = 2n ** 256n - 1n;

/** Whether digits are a number from 1 to 2^63 − 1, without a leading zero. */
export const isPositiveTronInt64 = (digits: string): boolean =>
  /^[1-9][0-9]{0,18}$/.test(digits) && BigInt(digits) <= TRON_INT64_MAX;

/** Whether digits are a number that fits a contract's word (256 bits), without a leading zero. */
export const isTronWord = (digits: string): boolean =>
  /^(0|[1-9][0-9]{0,77})$/.test(digits) && BigInt(digits) <= UINT256_MAX;

/** Whether digits are the id of a TRC-10 token: a number above 1,000,000 (TRON Developers, "TRC-10"). */
export const isTrc10Id = (digits: string): boolean =>
  isPositiveTronInt64(digits) && BigInt(digits) > 1_000_000n;
