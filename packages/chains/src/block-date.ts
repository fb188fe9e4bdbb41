/** The year 10000: from here on ISO 8601 needs five digits of a year. */
const YEAR_10000_MS = 253_402_300_800_000n;
const MS_IN_SECOND = 1_000n;

/** When a block was made, by the chain's own record. */
export interface BlockDate {
  /** ISO 8601 UTC; absent where the node does not report it */
  readonly date?: string;
}

/**
 * @param unixMs Unix milliseconds, as a node reports them
 * @returns no date for zero, which nodes write for an unknown time, nor for any time outside 1970 to 9999
 */
export const dateByMs = (unixMs: bigint | null | undefined): BlockDate =>
  unixMs === undefined || unixMs === null || unixMs <= 0n || unixMs >= YEAR_10000_MS
    ? {}
    : { date: new Date(Number(unixMs)).toISOString() };

/** Like `dateByMs`, from Unix seconds. */
export const dateBySeconds = (unixSeconds: bigint | null | undefined): BlockDate =>
  unixSeconds === undefined || unixSeconds === null ? {} : dateByMs(unixSeconds * MS_IN_SECOND);
