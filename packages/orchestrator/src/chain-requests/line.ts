/** An earlier request of the wallet mostly is broadcast in less than this. */
export const WALLET_BUSY_MS = 200;
/** What the line of a wallet moves on by one in, if not faster. */
const ONE_MS = 100;
/** Longest that a request in a line is left alone: what was before it may have come to nothing. */
const LONGEST_MS = 60_000;

/**
 * When a request that waits behind others of its wallet is looked at again: the later, the more are before it. So what thousands cost
 * that wait behind one that is stuck is some eighty looks a second, and not five for each of them, which left none for other wallets.
 * @param before how many of its wallet wait before it
 */
export const lookInLineMs = (before: number): number =>
  Math.min(LONGEST_MS, Math.max(WALLET_BUSY_MS, before * ONE_MS));
