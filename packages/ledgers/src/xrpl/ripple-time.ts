/** Seconds between 1970 and 2000, the epoch of the XRP Ledger. */
const RIPPLE_EPOCH_S = 946_684_800;
const MONTHS = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"];

/** @param ms milliseconds since 1970 */
export const rippledSeconds = (ms: number): number => Math.floor(ms / 1_000) - RIPPLE_EPOCH_S;

/** Seconds since 1970. @param seconds since 2000 */
export const unixSecondsOfRippleTime = (seconds: number): number => seconds + RIPPLE_EPOCH_S;

/** As "2026-11-20T00:00:00Z". @param seconds since 2000 */
export const isoOfRippleTime = (seconds: number): string =>
  new Date((seconds + RIPPLE_EPOCH_S) * 1_000).toISOString().replace(".000Z", "Z");

/** As "2026-Nov-20 00:00:00.000000000 UTC". @param seconds since 2000 */
export const humanOfRippleTime = (seconds: number): string => {
  const date = new Date((seconds + RIPPLE_EPOCH_S) * 1_000);
  const month = MONTHS[date.getUTCMonth()] ?? "";
  const [day, time] = [date.toISOString().slice(8, 10), date.toISOString().slice(11, 19)];
  return `${date.getUTCFullYear()}-${month}-${day} ${time}.000000000 UTC`;
};
