/** An earlier request of the wallet mostly is broadcast in less than this. */
export const WALLET_BUSY_MS = 200;
/** For each request that is before it, one is left alone for so long. */
const ONE_MS = 100;
/** Longest that a request in a line is left alone: those before it may have come to nothing meanwhile. */
const LONGEST_MS = 60_000;

/**
 * When a request that waits behind others of its wallet is looked at again: the later, the more are before it. So two thousand that
 * wait behind one that is stuck cost some ninety looks a second. With five for each of them none was left for other wallets.
 * @param before how many of its wallet wait before it
 */
export const lookInLineMs = (before: number): number =>
  Math.min(LONGEST_MS, Math.max(WALLET_BUSY_MS, before * ONE_MS));
