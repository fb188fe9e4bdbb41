import { BaseError, BlockNotFoundError, RpcRequestError } from "viem";
import { getBlock, getBlockNumber } from "viem/actions";
import { quantity } from "../landed/receipt.ts";
import type { EvmNetwork } from "../network.ts";
import type { Rpc } from "./rpc.ts";

export interface FinalBlock {
  readonly number: bigint;
  readonly hash: string;
}

/** Errors of nodes that do not know the tag: method or parameter unknown, or a message that there is no such block. */
const UNKNOWN_TAG_CODES: readonly number[] = [-32601, -32602, -39001];
const UNKNOWN_TAG_TEXT = /finalized|(unknown|invalid) (block|tag)|block not found/i;

/**
 * Whether the node says that it has no finalized block. A node that is too busy to answer, as at its rate limit, does
 * not say so.
 */
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

/** Clients of nodes that have reported a finalized block. */
const serveFinalized = new WeakSet<Rpc>();
/** Clients of nodes that have repeatedly reported to know none. */
const lackFinalized = new WeakSet<Rpc>();

/** The settings of finality in a network's entry. */
export type Finality = Pick<EvmNetwork, "confirmations" | "finality">;

/** Whether a node has never reported a finalized block, and has said that it knows none. */
const knowsNone = (rpc: Rpc): boolean => lackFinalized.has(rpc) && !serveFinalized.has(rpc);

/** Number of times in a row that a node must report to know none. */
const SAYS_NONE = 12;

/**
 * Records that a node knows no finalized block, once it has said so many times in a row. Of several nodes behind one
 * address, one may have just started; its answer alone must not make blocks final by depth.
 *
 * @throws viem's BaseError if the node has reported a finalized block, now or before
 */
const noteNone = async (rpc: Rpc): Promise<void> => {
  if (knowsNone(rpc)) return;
  for (let said = 1; said < SAYS_NONE && !serveFinalized.has(rpc); said += 1) {
    if ((await byTag(rpc)) !== undefined) serveFinalized.add(rpc);
  }
  if (serveFinalized.has(rpc))
    throw new BaseError("it tells no finalized block, and tells one at other times");
  lackFinalized.add(rpc);
};

/**
 * The last block that nothing can undo: the node's finalized block, or, if it knows none or the network's entry says
 * so, the block at the depth of that entry. The finalized block is the deeper one.
 *
 * @throws viem's errors when the node does not answer
 */
export const finalBlock = async (rpc: Rpc, { confirmations, finality }: Finality): Promise<FinalBlock> => {
  const finalized = finality === "depth" ? undefined : await byTag(rpc);
  if (finalized !== undefined) {
    serveFinalized.add(rpc);
    return { number: finalized.number, hash: finalized.hash };
  }
  if (finality !== "depth") await noteNone(rpc);
  const head = await getBlockNumber(rpc, { cacheTime: 0 });
  const depth = BigInt(confirmations) - 1n;
  const { number, hash } = await getBlock(rpc, { blockNumber: head > depth ? head - depth : 0n });
  return { number, hash };
};

/**
 * Whether blocks of a node count as final by depth: the entry says so, or the node, as known through this client, has
 * no finalized block.
 */
const isByDepth = (rpc: Rpc, { finality }: Finality): boolean => finality === "depth" || knowsNone(rpc);

const numberIn = (reported: unknown): bigint => {
  const number = quantity.safeParse(reported);
  if (!number.success) throw new TypeError("it does not tell how far its chain is final");
  return number.data;
};

/**
 * The highest block that a node calls final, asked in one call.
 *
 * @param rpc a client of the same address that has asked for final blocks
 * @param client makes the call
 * @param signal calls with the same signal form one batch, if the client batches
 * @returns undefined if the node knows no finalized block; the next call may judge by depth
 * @throws viem's errors when the node does not answer, TypeError when its answer contains no number
 */
export const heightCalledFinal = async (
  rpc: Rpc,
  network: Finality,
  client: Rpc,
  signal: AbortSignal,
): Promise<bigint | undefined> => {
  if (isByDepth(rpc, network)) {
    const head = await client.request({ method: "eth_blockNumber" }, { signal });
    return numberIn(head) - BigInt(network.confirmations) + 1n;
  }
  try {
    const params: ["finalized", false] = ["finalized", false];
    const block = await client.request({ method: "eth_getBlockByNumber", params }, { signal });
    if (block !== null) return numberIn(block.number);
  } catch (error) {
    if (!hasNone(error)) throw error;
  }
  await noteNone(rpc);
  return undefined;
};
