import { type Hash, TransactionNotFoundError } from "viem";
import { getBlock, getBlockNumber, getTransaction } from "viem/actions";
import { dateBySeconds } from "../../block-date.ts";
import type { Sighting } from "../../chain.ts";
import { feeOfReceipt, type Receipt, receiptSchema } from "../landed/receipt.ts";
import type { EvmTransfer } from "../rules/act.ts";
import { movementOf } from "./moved.ts";
import type { Rpc } from "./rpc.ts";

const known = (rpc: Rpc, hash: Hash) =>
  getTransaction(rpc, { hash }).catch((error: unknown): undefined => {
    if (error instanceof TransactionNotFoundError) return undefined;
    throw error;
  });

/**
 * The receipt as the node gives it: viem's parser would drop fields that only some chains have, such as a rollup's
 * fees.
 *
 * @returns undefined if there is none, or only that of a pending transaction
 */
const receiptOf = async (rpc: Rpc, hash: Hash): Promise<Receipt | undefined> => {
  const answer = await rpc.request({ method: "eth_getTransactionReceipt", params: [hash] });
  if (answer === null || answer.blockNumber === null) return undefined;
  const receipt = receiptSchema.safeParse(answer);
  if (!receipt.success) throw new TypeError("its receipt lacks what every receipt holds");
  return receipt.data;
};

const feeOf = async (rpc: Rpc, hash: Hash, receipt: Receipt): Promise<bigint> => {
  if (receipt.effectiveGasPrice !== undefined) return feeOfReceipt(receipt, 0n);
  const transaction = await known(rpc, hash);
  if (transaction?.gasPrice === undefined) throw new TypeError("neither receipt nor transaction has a price");
  return feeOfReceipt(receipt, transaction.gasPrice);
};

/**
 * Looks for a transaction. The receipt's block is compared with the chain's current block at that height, because a
 * node may still have the receipt of a block that a reorganisation removed.
 *
 * @param confirmations blocks from the transaction's own to the head, both included, from which on it counts as final
 * @param expected the transfer that it carries out, if it is one: the result then says whether it moved anything
 * @throws viem's errors when the node does not answer
 */
export const sight = async (
  rpc: Rpc,
  hash: Hash,
  confirmations: number,
  expected: EvmTransfer | undefined,
): Promise<Sighting> => {
  const receipt = await receiptOf(rpc, hash);
  if (receipt === undefined) {
    return { kind: (await known(rpc, hash)) === undefined ? "unknown" : "waiting" };
  }
  const [block, head, fee] = await Promise.all([
    getBlock(rpc, { blockNumber: receipt.blockNumber }),
    getBlockNumber(rpc, { cacheTime: 0 }),
    feeOf(rpc, hash, receipt),
  ]);
  if (block.hash !== receipt.blockHash || head < receipt.blockNumber) return { kind: "waiting" };
  return {
    kind: "included",
    height: receipt.blockNumber,
    blockHash: receipt.blockHash,
    isFinal: head - receipt.blockNumber + 1n >= BigInt(confirmations),
    fee,
    ...dateBySeconds(block.timestamp),
    ...(await outcomeOf(rpc, receipt, expected)),
  };
};

type Outcome = Pick<
  Extract<Sighting, { kind: "included" }>,
  "succeeded" | "movedNothing" | "arrived" | "reason"
>;

const outcomeOf = async (rpc: Rpc, receipt: Receipt, expected: EvmTransfer | undefined): Promise<Outcome> => {
  if (receipt.status !== 1n) return { succeeded: false };
  if (expected === undefined) return { succeeded: true };
  const movement = await movementOf(rpc, receipt, expected);
  if (movement.kind === "moved") {
    return { succeeded: true, ...(movement.arrived === undefined ? {} : { arrived: movement.arrived }) };
  }
  const asset = expected.kind === "Native" ? "" : ` ${expected.contract}`;
  return {
    succeeded: false,
    movedNothing: true,
    reason: `the token${asset} wrote no event of the transfer, and no balance changed`,
  };
};
