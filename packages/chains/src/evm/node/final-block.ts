import { BlockNotFoundError } from "viem";
import { getBlock, getBlockNumber } from "viem/actions";
import type { EvmNetwork } from "../network.ts";
import { type Rpc, refusalText } from "./rpc.ts";

export interface FinalBlock {
  readonly number: bigint;
  readonly hash: string;
}

/** Nodes of chains without a finalized block answer nothing, or say that they do not know the tag. */
const byTag = async (rpc: Rpc): Promise<FinalBlock | undefined> => {
  try {
    return await getBlock(rpc, { blockTag: "finalized" });
  } catch (error) {
    if (error instanceof BlockNotFoundError || refusalText(error) !== undefined) return undefined;
    throw error;
  }
};

/**
 * The last block that nothing undoes: the node's finalized one, or else the one as deep as the network's entry asks,
 * which may ask for that one in the first place.
 * @throws viem's errors when the node does not answer
 */
export const finalBlock = async (
  rpc: Rpc,
  { confirmations, finality }: Pick<EvmNetwork, "confirmations" | "finality">,
): Promise<FinalBlock> => {
  const finalized = finality === "depth" ? undefined : await byTag(rpc);
  if (finalized !== undefined) return { number: finalized.number, hash: finalized.hash };
  const head = await getBlockNumber(rpc, { cacheTime: 0 });
  const depth = BigInt(confirmations) - 1n;
  const { number, hash } = await getBlock(rpc, { blockNumber: head > depth ? head - depth : 0n });
  return { number, hash };
};
