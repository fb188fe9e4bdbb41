import type { Priority } from "@conclave/custody";
import type { EvmNetwork } from "../network.ts";

/** EIP-1559 fees in wei a unit of gas. */
export interface Fees {
  readonly maxFeePerGas: bigint;
  readonly maxPriorityFeePerGas: bigint;
}

/** The node's report of its last blocks. */
export interface FeeMarket {
  /** wei a gas, of the block that comes next; undefined on a chain from before EIP-1559 */
  readonly nextBaseFee: bigint | undefined;
  /** one row a block: the tips at `REWARD_PERCENTILES`, wei a gas; empty on a chain that has no blocks yet */
  readonly rewards: readonly (readonly bigint[])[];
  /** `eth_maxPriorityFeePerGas`, or `eth_gasPrice` where there is no base fee */
  readonly suggestedTip: bigint;
  /** wei a gas, `leastTip` of the network's entry: nodes of the network take no transaction below it */
  readonly leastTip?: bigint | undefined;
}

/** The columns to ask `eth_feeHistory` for: those of Slow, Standard and Fast. */
export const REWARD_PERCENTILES: readonly number[] = [10, 50, 90];
/** Blocks of fee history that an estimate looks at. */
export const FEE_HISTORY_BLOCKS = 20;

/** Quiet and development chains report tips of zero; a validator wants something. 0.01 gwei. */
const TIP_FLOOR_WEI = 10_000_000n;

/** Room above the next base fee, which moves by at most 12.5 % a block, in percent. */
const PRIORITIES: Readonly<Record<Priority, { readonly column: number; readonly basePercent: bigint }>> = {
  Slow: { column: 0, basePercent: 125n },
  Standard: { column: 1, basePercent: 150n },
  Fast: { column: 2, basePercent: 200n },
};
/** Six full blocks in a row double the base fee: go-ethereum's own default leaves that much room. */
const SUGGESTED_BASE_PERCENT = 200n;

const atLeast = (value: bigint, floor: bigint): bigint => (value > floor ? value : floor);

const median = (values: readonly bigint[]): bigint => {
  const sorted = [...values].sort((a, b) => (a < b ? -1 : a > b ? 1 : 0));
  return sorted[Math.floor(sorted.length / 2)] ?? 0n;
};

/**
 * The least tip that is bid, wei a gas. Fee history shows zero for blocks without transactions, so on a quiet chain it would lead below
 * the least that a node takes: the node's suggestion is never undercut.
 */
const tipFloor = ({ suggestedTip, leastTip = 0n }: FeeMarket): bigint =>
  atLeast(atLeast(suggestedTip, leastTip), TIP_FLOOR_WEI);

/**
 * Fees for a transaction.
 * @param priority estimates from the fee history when given; else the node's own suggestion is followed
 * @param market the node's report, wei a gas
 * @returns maxFeePerGas = base fee with headroom + tip, both in wei a gas; without a base fee both are the gas
 * price, which is the
 *   node's at every priority
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
 * @param maxFee the authority's limit, if it has one; the network's own cap holds beside it
 */
export const feeCapOf = ({ feeCap }: Pick<EvmNetwork, "feeCap">, maxFee: bigint | undefined): bigint => {
  const cap = BigInt(feeCap);
  return maxFee !== undefined && maxFee < cap ? maxFee : cap;
};

/** The most that a transaction can cost in fees, wei. */
export const wholeFee = (gasLimit: bigint, fees: Fees): bigint => gasLimit * fees.maxFeePerGas;
