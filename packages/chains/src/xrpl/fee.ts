import { fail, ok, type Result } from "@conclave/custody";

/** The fee that a node asks for, in drops, for a payment with one signature. */
export interface XrplFeeRates {
  /** to land in the open ledger, at the moment */
  readonly open: bigint;
  /** to be taken at all: a transaction that pays less than the open ledger asks for waits in the queue */
  readonly least: bigint;
}

/** A fifth more than is asked for now: a ledger that fills up asks for more at once. */
const raised = (fee: bigint): bigint => (fee * 6n + 4n) / 5n;

const larger = (a: bigint, b: bigint): bigint => (a > b ? a : b);

/**
 * The fee of a transaction. While the open ledger is dearer than the cap, the cap is bid, and the transaction waits in the
 * queue for its turn.
 * @param feeCap drops, as digits
 * @returns FeeAboveCap when not even the queue takes the cap
 */
export const xrplFee = ({ open, least }: XrplFeeRates, feeCap: string): Result<bigint> => {
  const cap = BigInt(feeCap);
  const wanted = larger(raised(open), least);
  if (wanted <= cap) return ok(wanted);
  return least <= cap
    ? ok(cap)
    : fail(
        "FeeAboveCap",
        { fee: least.toString(), feeCap },
        `the fee of ${least} drops is above the cap of ${feeCap} drops`,
      );
};
