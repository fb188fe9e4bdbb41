import type { ChainRequest, ChainRequestId, WalletId } from "@conclave/custody";
import { z } from "zod";
import { bigNumber, optional } from "../columns.ts";
import type { Connection } from "../database.ts";
import { requestRowSchema } from "./chain-requests.ts";

/**
 * The highest place among its account's transactions that a request of this wallet holds; read it under `lockWallet`, so
 * that two requests never take the same one (INV-4). One that failed on the chain counts too: a reorganisation may bring it
 * back. One that failed after it was built again and again is dead, and its place is free, unless the chain has passed it.
 * @returns undefined when none holds one, as in families that count no transactions
 */
export const highestSequence = async (
  connection: Connection,
  walletId: WalletId,
): Promise<bigint | undefined> => {
  const [row] = await connection.rows(
    z.object({ highest: optional(bigNumber) }),
    `select max(sequence) as highest from chain_requests
     where wallet_id = $1 and (status not in ('Failed', 'Rejected')
       or signed_transaction is not null and (block_hash is not null or dead_transactions = 0))`,
    [walletId],
  );
  return row?.highest;
};

/**
 * Whether another request of the wallet holds a place in which nothing is broadcast yet, nor mined and reverted. Read it
 * under `lockWallet`: while it is so no further place is given out, so that none is ever missing in between.
 */
export const otherHoldsSequence = async (
  connection: Connection,
  walletId: WalletId,
  id: ChainRequestId,
): Promise<boolean> => {
  const found = await connection.rows(
    z.object({ id: z.string() }),
    `select id from chain_requests held
     where wallet_id = $1 and status = 'Executing' and sequence is not null and id <> $2
       and not exists (
         select from chain_requests sent
         where sent.wallet_id = held.wallet_id and sent.sequence = held.sequence
           and (sent.status in ('Broadcasted', 'Confirmed') or sent.status = 'Failed' and sent.block_hash is not null))
     limit 1`,
    [walletId, id],
  );
  return found.length > 0;
};

/** Reads the requests of a wallet in one place that were signed, the newest first. */
export const listSignedWithSequence = (
  connection: Connection,
  walletId: WalletId,
  sequence: bigint,
): Promise<readonly ChainRequest[]> =>
  connection.rows(
    requestRowSchema,
    `select * from chain_requests where wallet_id = $1 and sequence = $2 and signed_transaction is not null
     order by date_requested desc, id desc`,
    [walletId, sequence.toString()],
  );
