import { fail, ok, type Result } from "@conclave/custody";

/** EIP-1559 fees in wei a unit of gas; a legacy gas price stands for both. */
export interface GasFees {
  readonly maxFeePerGas: bigint;
  readonly maxPriorityFeePerGas: bigint;
}

/** The fees that a caller gave; the service chooses absent ones. */
export interface WantedFees {
  readonly maxFeePerGas?: bigint | undefined;
  readonly maxPriorityFeePerGas?: bigint | undefined;
}

const larger = (a: bigint, b: bigint): bigint => (a > b ? a : b);

/**
 * The lowest fee of a replacement that nodes accept: 12.5 % more, rounded up. Nodes demand 10 % more, some strictly more, of
 * both fees.
 */
export const leastReplacing = (fee: bigint): bigint => larger((fee * 9n + 7n) / 8n, fee + 1n);

/** The service's own bid for a replacement: the lowest fee plus one wei, for nodes that round differently. */
const raised = (fee: bigint): bigint => leastReplacing(fee) + 1n;

const underpriced = (field: keyof GasFees, given: bigint, least: bigint): Result<never> =>
  fail(
    "ReplacementUnderpriced",
    { field, given: given.toString(), least: least.toString() },
    `${field} of ${given} wei is too low to replace the pending transaction: it takes at least ${least} wei`,
  );

/**
 * The fees of a transaction that replaces a pending one with the same account nonce.
 * @param earlier the fees of the pending one
 * @param wanted the caller's fees, unchanged; an absent tip is raised together with the cap
 * @param market the current fees; the service never bids below them
 * @returns both at least 12.5 % above the earlier ones and the tip not above the cap, or ReplacementUnderpriced
 */
export const replacingFees = (earlier: GasFees, wanted: WantedFees, market: GasFees): Result<GasFees> => {
  const leastTip = leastReplacing(earlier.maxPriorityFeePerGas);
  const leastCap = leastReplacing(earlier.maxFeePerGas);
  const bid = larger(raised(earlier.maxPriorityFeePerGas), market.maxPriorityFeePerGas);
  const tip = wanted.maxPriorityFeePerGas ?? lower(bid, wanted.maxFeePerGas ?? bid);
  const cap = wanted.maxFeePerGas ?? larger(tip, larger(raised(earlier.maxFeePerGas), market.maxFeePerGas));
  if (cap < leastCap) return underpriced("maxFeePerGas", cap, leastCap);
  if (tip < leastTip) return underpriced("maxPriorityFeePerGas", tip, leastTip);
  return tip > cap ? fail("FeesContradictory") : ok({ maxFeePerGas: cap, maxPriorityFeePerGas: tip });
};

const lower = (a: bigint, b: bigint): bigint => (a < b ? a : b);

/** Judges only the caller's fees, without the chain: ReplacementUnderpriced or FeesContradictory. */
export const judgeReplacement = (earlier: GasFees, wanted: WantedFees): Result<void> => {
  const fees = replacingFees(earlier, wanted, { maxFeePerGas: 0n, maxPriorityFeePerGas: 0n });
  return fees.ok ? ok(undefined) : fees;
};
