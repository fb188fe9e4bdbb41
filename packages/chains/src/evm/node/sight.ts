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
 * @param confirmations blocks from the transaction's own to the head, both included, from which on it counts as final
 * @throws viem's errors when the node does not answer
 */
export const sight = async (rpc: Rpc, hash: Hash, confirmations: number): Promise<Sighting> => {
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
    height: receipt.blockNumber,
    blockHash: receipt.blockHash,
    isFinal: head - receipt.blockNumber + 1n >= BigInt(confirmations),
    fee: receipt.gasUsed * receipt.effectiveGasPrice,
    succeeded: receipt.status === "success",
  };
};
