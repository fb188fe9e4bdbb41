import { type BitcoindFeeRate, highestRate } from "./fee-rate.ts";

/** The fee rules that an operator can set. All rates are satoshis per 1,000 virtual bytes. */
export interface BitcoindFees {
  /** the minimum fee rate for relay */
  readonly minimumRelay: BitcoindFeeRate;
  /** the minimum rate, for its own size, that a replacement adds to the fees of those it replaces */
  readonly incrementalRelay: BitcoindFeeRate;
  /** the minimum fee rate of miners: cheaper transactions wait */
  readonly minimumMined: BitcoindFeeRate;
  /** the estimates of estimatesmartfee: a rate for each confirmation target, lowest target first */
  readonly estimates: readonly FeeEstimate[];
  /** whether the chain is too young for estimates */
  readonly isYoung: boolean;
}

export interface FeeEstimate {
  readonly blocks: number;
  readonly rate: BitcoindFeeRate;
}

export const DEFAULT_BITCOIND_FEES: BitcoindFees = {
  minimumRelay: 1_000n,
  incrementalRelay: 1_000n,
  minimumMined: 1_000n,
  estimates: [
    { blocks: 2, rate: 20_000n },
    { blocks: 6, rate: 10_000n },
    { blocks: 144, rate: 2_000n },
  ],
  isYoung: false,
};

/** A node estimates no confirmation in the very next block. */
export const FEWEST_TARGET_BLOCKS = 2;

/**
 * @param floor the mempool's current minimum fee rate
 * @param blocks the confirmation target
 * @returns undefined on a young chain, and below the lowest target of an estimate
 */
export const estimatedFeeRate = (
  fees: BitcoindFees,
  floor: BitcoindFeeRate,
  blocks: number,
): BitcoindFeeRate | undefined => {
  const known = fees.isYoung ? undefined : fees.estimates.findLast((each) => each.blocks <= blocks);
  return known === undefined ? undefined : highestRate(known.rate, fees.minimumRelay, floor);
};
