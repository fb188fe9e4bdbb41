import { fail, ok, type Result } from "@conclave/custody";

/** The fees that a node demands for a payment with one signature, in drops. */
export interface XrplFeeRates {
  /** to land in the current open ledger */
  readonly open: bigint;
  /** to be accepted at all: a transaction that pays less than `open` waits in the queue */
  readonly least: bigint;
}

/** A fifth more than the node demands now, because its demand rises quickly as a ledger fills. */
const raised = (fee: bigint): bigint => (fee * 6n + 4n) / 5n;

const larger = (a: bigint, b: bigint): bigint => (a > b ? a : b);

/**
 * The fee of a transaction. If the open ledger demands more than the cap, the cap is bid, and the transaction waits in the
 * queue.
 * @param feeCap drops, as digits
 * @returns FeeAboveCap when the cap is not even enough for the queue
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
