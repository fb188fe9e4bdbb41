import { rippledUint64 } from "../digest.ts";

const NOT_XRP = 1n << 63n;
const POSITIVE = 1n << 62n;
const MULTI_PURPOSE_TOKEN = 1n << 61n;
const DROPS_MASK = MULTI_PURPOSE_TOKEN - 1n;

export const RIPPLED_XRP_BYTES = 8;
const ISSUED_AMOUNT_BYTES = 48;
const TOKEN_AMOUNT_BYTES = 33;

/** The length of an amount that begins with these eight bytes. */
export const amountBytes = (head: bigint): number => {
  if ((head & NOT_XRP) !== 0n) return ISSUED_AMOUNT_BYTES;
  return (head & MULTI_PURPOSE_TOKEN) === 0n ? RIPPLED_XRP_BYTES : TOKEN_AMOUNT_BYTES;
};

/** Drops of XRP, which may be below 0. @returns undefined for a negative zero, which is not canonical */
export const rippledDropsOf = (head: bigint): bigint | undefined => {
  const drops = head & DROPS_MASK;
  if ((head & POSITIVE) !== 0n) return drops;
  return drops === 0n ? undefined : -drops;
};

/** @param drops of XRP */
export const encodeRippledDrops = (drops: bigint): Uint8Array =>
  rippledUint64(drops < 0n ? -drops : drops | POSITIVE);
