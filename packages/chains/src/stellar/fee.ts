import { fail, ok, type Result } from "@conclave/custody";

/** The fees of the last ledgers, in stroops an operation. */
export interface FeeStatistics {
  /** the chain's lowest fee */
  readonly base: bigint;
  /** the fee that nine of ten transactions of the last five ledgers did not exceed */
  readonly usual: bigint;
}

const smaller = (a: bigint, b: bigint): bigint => (a < b ? a : b);
const larger = (a: bigint, b: bigint): bigint => (a > b ? a : b);

/**
 * The fee that a transaction of one operation offers. A ledger charges everybody its cheapest offer, so a higher offer costs
 * nothing; a transaction with too low an offer cannot be replaced.
 * @param resourceFee stroops: the additional cost of a contract call
 * @param feeCap stroops, as digits
 * @returns FeeAboveCap when the chain's lowest fee is above the cap
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
