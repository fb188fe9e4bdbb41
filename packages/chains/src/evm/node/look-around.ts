import { type Address, getAddress } from "viem";
import { getBalance, getBlock, getFeeHistory, getTransactionCount } from "viem/actions";
import { FEE_HISTORY_BLOCKS, type FeeMarket, REWARD_PERCENTILES } from "../fees/fees.ts";
import type { EvmNetwork } from "../network.ts";
import type { AccountCount } from "../sequence.ts";
import type { Surroundings } from "../situation.ts";
import type { Rpc } from "./rpc.ts";

/** @throws viem's errors when the node does not answer */
export const accountCount = async (rpc: Rpc, sender: string): Promise<AccountCount> => {
  const address = getAddress(sender);
  const [mined, pending] = await Promise.all([
    getTransactionCount(rpc, { address, blockTag: "latest" }),
    getTransactionCount(rpc, { address, blockTag: "pending" }),
  ]);
  return { mined: BigInt(mined), pending: BigInt(pending) };
};

/**
 * The spendable balance. Outflows of pending transactions count as spent, their inflows do not count yet. A replacement
 * of a pending transaction spends the same money, so for it only blocks count.
 */
const spendable = async (rpc: Rpc, address: Address, isReplacement: boolean): Promise<bigint> => {
  const [latest, pending] = await Promise.all([
    getBalance(rpc, { address, blockTag: "latest" }),
    getBalance(rpc, { address, blockTag: "pending" }),
  ]);
  const leaving = latest - pending;
  return leaving > 0n && !isReplacement ? pending : latest;
};

/** The values of blocks on which every transaction depends. */
type OfBlocks = Pick<Surroundings, "market" | "gasLimits">;

/** @throws viem's errors when the node does not answer; TypeError for a block without a gas limit */
export const lookAtBlocks = async (rpc: Rpc, network: EvmNetwork): Promise<OfBlocks> => {
  const { baseFeePerGas, gasLimit } = await getBlock(rpc, { blockTag: "latest" });
  if (typeof gasLimit !== "bigint") throw new TypeError("its block has no gas limit");
  const { leastTip: floor, transactionGasLimit } = network;
  const leastTip = floor === undefined ? undefined : BigInt(floor);
  const transaction = transactionGasLimit === undefined ? undefined : BigInt(transactionGasLimit);
  return {
    market: { ...(await feeMarket(rpc, baseFeePerGas === null)), leastTip },
    gasLimits: { block: gasLimit, transaction },
  };
};

/** The fees of the last blocks, as the node reports them. */
const feeMarket = async (rpc: Rpc, isWithoutBaseFee: boolean): Promise<FeeMarket> => {
  if (isWithoutBaseFee) {
    const price = await rpc.request({ method: "eth_gasPrice" });
    return { nextBaseFee: undefined, rewards: [], suggestedTip: BigInt(price) };
  }
  const [history, tip] = await Promise.all([
    getFeeHistory(rpc, {
      blockCount: FEE_HISTORY_BLOCKS,
      blockTag: "latest",
      rewardPercentiles: [...REWARD_PERCENTILES],
    }),
    rpc.request({ method: "eth_maxPriorityFeePerGas" }),
  ]);
  return {
    nextBaseFee: history.baseFeePerGas.at(-1) ?? 0n,
    rewards: history.reward ?? [],
    suggestedTip: BigInt(tip),
  };
};

/** Everything on which a sender's transaction depends, asked at once. */
export const lookAround = async (
  rpc: Rpc,
  network: EvmNetwork,
  sender: Address,
  isReplacement: boolean,
): Promise<Surroundings> => {
  const [count, balance, ofBlocks] = await Promise.all([
    accountCount(rpc, sender),
    spendable(rpc, sender, isReplacement),
    lookAtBlocks(rpc, network),
  ]);
  return { count, balance, ...ofBlocks };
};
