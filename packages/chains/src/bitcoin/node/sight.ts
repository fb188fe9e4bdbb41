import { ok, type Result } from "@conclave/custody";
import { z } from "zod";
import { nodeAway } from "../../answers/node-away.ts";
import { dateBySeconds } from "../../block-date.ts";
import type { Sighting } from "../../chain.ts";
import type { BitcoinNetwork } from "../network.ts";
import type { BareTransaction } from "../wire/transaction.ts";
import { hashSchema, placeOfBlock } from "./blocks.ts";
import { NO_TRANSACTION, type PreviousTransactions, transactionCalled } from "./previous.ts";
import { askBitcoind, type BitcoinRpc } from "./rpc.ts";

const seenSchema = z.object({
  hex: z.string().regex(/^(?:[0-9a-f]{2})+$/),
  /** absent while it is in the pool */
  blockhash: hashSchema.optional(),
  /** zero for a block outside the best chain */
  confirmations: z.bigint().optional(),
});

/** The fee: the sum of the spent coins minus that of the outputs. */
const feePaid = async (
  rpc: BitcoinRpc,
  previous: PreviousTransactions,
  { inputs, outputs }: BareTransaction,
): Promise<Result<bigint>> => {
  let fee = 0n;
  for (const { outpoint } of inputs) {
    const made = await previous.read(outpoint.txid);
    if (!made.ok) return made;
    const coin = made.value?.outputs[outpoint.index];
    if (coin === undefined) return nodeAway(rpc.network, `it does not know the coin of ${outpoint.txid}`);
    fee += coin.amount;
  }
  return ok(outputs.reduce((left, { amount }) => left - amount, fee));
};

/**
 * Looks for a transaction. A transaction in a block has had its effect: the chain includes no failed ones. The node
 * must index all transactions (`txindex=1`); otherwise it forgets a transaction as soon as it is in a block, and this
 * finds nothing.
 */
export const sightBitcoin = async (
  { finality }: BitcoinNetwork,
  rpc: BitcoinRpc,
  previous: PreviousTransactions,
  txid: string,
): Promise<Result<Sighting>> => {
  const found = await askBitcoind(rpc, seenSchema, [NO_TRANSACTION], "getrawtransaction", txid, true);
  if (!found.ok) return found;
  if (found.value === undefined) return ok({ kind: "unknown" });
  const { hex, blockhash, confirmations = 0n } = found.value;
  const transaction = transactionCalled(txid, hex);
  if (transaction === undefined) return nodeAway(rpc.network, `what it gives for ${txid} is another one`);
  if (blockhash === undefined) return ok({ kind: "waiting" });
  // its block was undone, and it is not in the pool again
  if (confirmations < 1n) return ok({ kind: "unknown" });
  const block = await placeOfBlock(rpc, blockhash);
  if (!block.ok) return block;
  const fee = await feePaid(rpc, previous, transaction);
  if (!fee.ok) return fee;
  return ok({
    kind: "included",
    height: block.value.height,
    blockHash: blockhash,
    isFinal: confirmations >= BigInt(finality),
    fee: fee.value,
    ...dateBySeconds(block.value.time),
    succeeded: true,
  });
};
