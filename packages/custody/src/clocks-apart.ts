/**
 * The greatest allowed difference of a gateway's and the database's clocks. Signers refuse dates more than a minute
 * ahead of their own clocks (CLOCK_SKEW_MS_MAX of the cluster): a third of that is left for the difference between a
 * signer and the database.
 */
export const CLOCKS_APART_MS_MAX = 40_000;
