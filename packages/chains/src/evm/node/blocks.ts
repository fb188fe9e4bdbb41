import { BlockNotFoundError } from "viem";
import { getBlock, getBlockNumber } from "viem/actions";
import { z } from "zod";
import { dateBySeconds } from "../../block-date.ts";
import type { ChainHead, OwnBlock } from "../../chain.ts";
import type { EvmNetwork } from "../network.ts";
import { isPruned } from "./contents/block-contents.ts";
import { finalBlock } from "./final-block.ts";
import type { Rpc } from "./rpc.ts";

/** @throws viem's errors when the node does not answer */
export const headOf = async (rpc: Rpc, network: EvmNetwork): Promise<ChainHead> => {
  const height = await getBlockNumber(rpc, { cacheTime: 0 });
  const [head, final] = await Promise.all([getBlock(rpc, { blockNumber: height }), finalBlock(rpc, network)]);
  const confirmedHeight = height - BigInt(network.confirmations) + 1n;
  return { height, hash: head.hash, confirmedHeight, finalHeight: final.number };
};

/**
 * Our transactions in a block.
 *
 * @returns undefined if the node does not have the block yet, or has forgotten it
 * @throws viem's errors when the node does not answer
 */
export const blockAt = async (
  rpc: Rpc,
  height: bigint,
  ours: ReadonlySet<string>,
): Promise<OwnBlock | undefined> => {
  try {
    const { hash, parentHash, transactions, timestamp } = await getBlock(rpc, { blockNumber: height });
    const holds = transactions.filter((each) => ours.has(each));
    return { height, hash, parentHash, holds, ...dateBySeconds(timestamp) };
  } catch (error) {
    if (error instanceof BlockNotFoundError || isPruned(error)) return undefined;
    throw error;
  }
};

const syncingSchema = z.union([z.literal(false), z.object({})]);

/** @returns true if the node answers with its progress (Ethereum JSON-RPC, eth_syncing) */
export const isSyncing = async (rpc: Rpc): Promise<boolean> => {
  const said = syncingSchema.safeParse(await rpc.request({ method: "eth_syncing" }));
  if (!said.success) throw new TypeError("it does not tell whether it is syncing");
  return said.data !== false;
};
