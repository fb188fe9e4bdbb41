import { type Hash, TransactionNotFoundError, TransactionReceiptNotFoundError } from "viem";
import { getBlock, getBlockNumber, getTransaction, getTransactionReceipt } from "viem/actions";
import type { Sighting } from "../../chain.ts";
import type { Rpc } from "./rpc.ts";

const absent =
  (kind: typeof TransactionNotFoundError | typeof TransactionReceiptNotFoundError) =>
  (error: unknown): undefined => {
    if (error instanceof kind) return undefined;
    throw error;
  };

/**
 * Looks for a transaction. The receipt's block is compared with the block that the chain has at that height now: a
 * node may hold a receipt of a block that a reorganisation took away.
 * @throws viem's errors when the node does not answer
 */
export const sight = async (rpc: Rpc, hash: Hash): Promise<Sighting> => {
  const receipt = await getTransactionReceipt(rpc, { hash }).catch(absent(TransactionReceiptNotFoundError));
  if (receipt === undefined) {
    const known = await getTransaction(rpc, { hash }).catch(absent(TransactionNotFoundError));
    return { kind: known === undefined ? "unknown" : "waiting" };
  }
  const [block, head] = await Promise.all([
    getBlock(rpc, { blockNumber: receipt.blockNumber }),
    getBlockNumber(rpc, { cacheTime: 0 }),
  ]);
  if (block.hash !== receipt.blockHash || head < receipt.blockNumber) return { kind: "waiting" };
  return {
    kind: "included",
    blockNumber: receipt.blockNumber,
    blockHash: receipt.blockHash,
    depth: Number(head - receipt.blockNumber) + 1,
    fee: receipt.gasUsed * receipt.effectiveGasPrice,
    succeeded: receipt.status === "success",
  };
};
