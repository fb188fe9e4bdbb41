/** The first moment that ISO 8601 writes with five digits of a year. */
const YEAR_10000_MS = 253_402_300_800_000n;
const MS_IN_SECOND = 1_000n;

/** When a chain made a block, by its own record. */
export interface BlockDate {
  /** ISO 8601 UTC; absent where the node does not tell it */
  readonly date?: string;
}

/**
 * @param unixMs Unix milliseconds, as a node tells them
 * @returns nothing for zero, which nodes write where they do not know, and for what is no moment between 1970 and the year 10000
 */
export const dateByMs = (unixMs: bigint | null | undefined): BlockDate =>
  unixMs === undefined || unixMs === null || unixMs <= 0n || unixMs >= YEAR_10000_MS
    ? {}
    : { date: new Date(Number(unixMs)).toISOString() };

/** The same of Unix seconds. */
export const dateBySeconds = (unixSeconds: bigint | null | undefined): BlockDate =>
  unixSeconds === undefined || unixSeconds === null ? {} : dateByMs(unixSeconds * MS_IN_SECOND);
