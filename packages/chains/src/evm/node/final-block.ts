import { BaseError, BlockNotFoundError, RpcRequestError } from "viem";
import { getBlock, getBlockNumber } from "viem/actions";
import type { EvmNetwork } from "../network.ts";
import type { Rpc } from "./rpc.ts";

export interface FinalBlock {
  readonly number: bigint;
  readonly hash: string;
}

/** What nodes that know no such tag say of it: method or parameter unknown, or, in words, no such block. */
const UNKNOWN_TAG_CODES: readonly number[] = [-32601, -32602, -39001];
const UNKNOWN_TAG_TEXT = /finalized|(unknown|invalid) (block|tag)|block not found/i;

/** Whether a node has no finalized block. One that is too busy to answer, as at its rate limit, may have one. */
const hasNone = (error: unknown): boolean => {
  if (error instanceof BlockNotFoundError) return true;
  if (!(error instanceof BaseError)) return false;
  const answered = error.walk((cause) => cause instanceof RpcRequestError);
  if (!(answered instanceof RpcRequestError)) return false;
  return UNKNOWN_TAG_CODES.includes(answered.code) || UNKNOWN_TAG_TEXT.test(answered.details);
};

const byTag = async (rpc: Rpc): Promise<FinalBlock | undefined> => {
  try {
    return await getBlock(rpc, { blockTag: "finalized" });
  } catch (error) {
    if (hasNone(error)) return undefined;
    throw error;
  }
};

/** Clients of nodes that have told a finalized block. */
const tellFinalized = new WeakSet<Rpc>();

/**
 * The last block that nothing undoes: the node's finalized one, or else the one as deep as the network's entry asks,
 * which may ask for that one in the first place. A node that has told one and tells none for a moment, as one of several that has just
 * started, has it still: it lies deeper than the others.
 * @throws viem's errors when the node does not answer
 */
export const finalBlock = async (
  rpc: Rpc,
  { confirmations, finality }: Pick<EvmNetwork, "confirmations" | "finality">,
): Promise<FinalBlock> => {
  const finalized = finality === "depth" ? undefined : await byTag(rpc);
  if (finalized !== undefined) {
    tellFinalized.add(rpc);
    return { number: finalized.number, hash: finalized.hash };
  }
  if (tellFinalized.has(rpc)) throw new BaseError("it tells no finalized block, as it did before");
  const head = await getBlockNumber(rpc, { cacheTime: 0 });
  const depth = BigInt(confirmations) - 1n;
  const { number, hash } = await getBlock(rpc, { blockNumber: head > depth ? head - depth : 0n });
  return { number, hash };
};
