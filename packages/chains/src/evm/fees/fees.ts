import type { Priority } from "@conclave/custody";
import type { EvmNetwork } from "../network.ts";

/** EIP-1559 fees in wei a unit of gas. */
export interface Fees {
  readonly maxFeePerGas: bigint;
  readonly maxPriorityFeePerGas: bigint;
}

/** A node's report on its latest blocks. */
export interface FeeMarket {
  /** wei a gas, of the next block; undefined on a chain without EIP-1559 */
  readonly nextBaseFee: bigint | undefined;
  /** one row per block: the tips at `REWARD_PERCENTILES`, wei a gas; empty on a chain without blocks */
  readonly rewards: readonly (readonly bigint[])[];
  /** `eth_maxPriorityFeePerGas`, or `eth_gasPrice` on a chain without a base fee */
  readonly suggestedTip: bigint;
  /** wei a gas, `leastTip` of the network's entry: nodes of the network refuse a lower tip */
  readonly leastTip?: bigint | undefined;
}

/** The percentiles to request from `eth_feeHistory`: for Slow, Standard and Fast. */
export const REWARD_PERCENTILES: readonly number[] = [10, 50, 90];
/** Number of blocks of fee history that an estimate reads. */
export const FEE_HISTORY_BLOCKS = 20;

/** 0.01 gwei, for quiet and development chains that report zero tips: a validator expects some tip. */
const TIP_FLOOR_WEI = 10_000_000n;

/**
 * For each priority: the tips' column, and the base fee with headroom in percent. The base fee rises by at most 12.5 % per
 * block.
 */
const PRIORITIES: Readonly<Record<Priority, { readonly column: number; readonly basePercent: bigint }>> = {
  Slow: { column: 0, basePercent: 125n },
  Standard: { column: 1, basePercent: 150n },
  Fast: { column: 2, basePercent: 200n },
};
/** Six full blocks in a row double the base fee: go-ethereum's default leaves this headroom. */
const SUGGESTED_BASE_PERCENT = 200n;

const atLeast = (value: bigint, floor: bigint): bigint => (value > floor ? value : floor);

const median = (values: readonly bigint[]): bigint => {
  const sorted = [...values].sort((a, b) => (a < b ? -1 : a > b ? 1 : 0));
  return sorted[Math.floor(sorted.length / 2)] ?? 0n;
};

/**
 * The lowest tip to bid, wei a gas. Fee history reports zero for blocks without transactions, so on a quiet chain an estimate
 * could fall below the node's minimum: the bid is never below the node's suggestion.
 */
const tipFloor = ({ suggestedTip, leastTip = 0n }: FeeMarket): bigint =>
  atLeast(atLeast(suggestedTip, leastTip), TIP_FLOOR_WEI);

/**
 * Fees for a transaction.
 * @param priority if given, the tip comes from the fee history; otherwise from the node's own suggestion
 * @param market the node's report, wei a gas
 * @returns maxFeePerGas = base fee with headroom + tip, both in wei a gas; without a base fee both are the node's gas price, at
 * every priority
 */
export const feesFor = (priority: Priority | undefined, market: FeeMarket): Fees => {
  const nextBaseFee = market.nextBaseFee ?? 0n;
  const floor = tipFloor(market);
  if (priority === undefined) {
    const tip = floor;
    return {
      maxFeePerGas: (nextBaseFee * SUGGESTED_BASE_PERCENT) / 100n + tip,
      maxPriorityFeePerGas: tip,
    };
  }
  const { column, basePercent } = PRIORITIES[priority];
  const tips = market.rewards.map((row) => row[column] ?? 0n);
  const tip = atLeast(median(tips), floor);
  return { maxFeePerGas: (nextBaseFee * basePercent) / 100n + tip, maxPriorityFeePerGas: tip };
};

/**
 * The most that a transaction may cost in fees, wei.
 * @param maxFee the authority's limit, if any; the network's own cap applies too
 */
export const feeCapOf = ({ feeCap }: Pick<EvmNetwork, "feeCap">, maxFee: bigint | undefined): bigint => {
  const cap = BigInt(feeCap);
  return maxFee !== undefined && maxFee < cap ? maxFee : cap;
};

/** The most that a transaction can cost in fees, wei. */
export const wholeFee = (gasLimit: bigint, fees: Fees): bigint => gasLimit * fees.maxFeePerGas;
