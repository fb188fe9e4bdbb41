import { fail, ok, type Result } from "@conclave/custody";

/** The fees of the last ledgers, in stroops an operation. */
export interface FeeStatistics {
  /** the least fee of a transaction */
  readonly base: bigint;
  /** the most that nine of ten transactions of the last five ledgers paid */
  readonly usual: bigint;
}

const smaller = (a: bigint, b: bigint): bigint => (a < b ? a : b);
const larger = (a: bigint, b: bigint): bigint => (a > b ? a : b);

/**
 * The most that a transaction of one operation offers. A ledger charges everybody what its cheapest transaction offered, so
 * an offer above that costs nothing; nothing takes the place of a transaction that offered too little.
 * @param resourceFee stroops: what a contract call costs beside
 * @param feeCap stroops, as digits
 * @returns FeeAboveCap when the chain takes none for as little as the cap
 */
export const stellarFee = (
  { base, usual }: FeeStatistics,
  resourceFee: bigint,
  feeCap: string,
): Result<bigint> => {
  const cap = BigInt(feeCap);
  const least = base + resourceFee;
  return least > cap
    ? fail(
        "FeeAboveCap",
        { fee: least.toString(), feeCap },
        `the fee of ${least} stroops is above the cap of ${feeCap} stroops`,
      )
    : ok(smaller(larger(base, usual) + resourceFee, cap));
};
