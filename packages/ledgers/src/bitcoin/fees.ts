import { type BitcoindFeeRate, highestRate } from "./fee-rate.ts";

/** The fees that an operator can set. All rates are satoshis for a thousand virtual bytes. */
export interface BitcoindFees {
  /** the least fee of a transaction */
  readonly minimumRelay: BitcoindFeeRate;
  /** the least fee of a replacement beyond that of the replaced ones, for its own size */
  readonly incrementalRelay: BitcoindFeeRate;
  /** the miners' least fee: cheaper ones wait */
  readonly minimumMined: BitcoindFeeRate;
  /** the estimates of estimatesmartfee: the rate for up to so many blocks, the fewest blocks first */
  readonly estimates: readonly FeeEstimate[];
  /** the chain is too young to estimate anything */
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

/** The next block is never promised. */
export const FEWEST_TARGET_BLOCKS = 2;

/**
 * @param floor the least fee of the mempool at the moment
 * @param blocks in which a transaction is to be confirmed
 * @returns undefined on a young chain, and for fewer blocks than there is an estimate for
 */
export const estimatedFeeRate = (
  fees: BitcoindFees,
  floor: BitcoindFeeRate,
  blocks: number,
): BitcoindFeeRate | undefined => {
  const known = fees.isYoung ? undefined : fees.estimates.findLast((each) => each.blocks <= blocks);
  return known === undefined ? undefined : highestRate(known.rate, fees.minimumRelay, floor);
};
