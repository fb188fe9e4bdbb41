import type { ChainRequestId, WalletId } from "@conclave/custody";
import { z } from "zod";
import { optional, safeNumber } from "../columns.ts";
import type { Connection } from "../database.ts";

/**
 * Reads the highest account nonce that a request of this wallet holds. Call it under `lockWallet`, so that two requests never
 * take the same nonce (INV-4). Requests that failed on the chain count too, because a reorganisation may restore them.
 */
export const highestNonce = async (
  connection: Connection,
  walletId: WalletId,
): Promise<number | undefined> => {
  const [row] = await connection.rows(
    z.object({ highest: optional(safeNumber) }),
    `select max(nonce) as highest from chain_requests
     where wallet_id = $1 and (status not in ('Failed', 'Rejected') or signed_transaction is not null)`,
    [walletId],
  );
  return row?.highest;
};

/**
 * Whether another request of the wallet holds an account nonce for which nothing is broadcast yet. Call it under `lockWallet`.
 * While it is true no further nonce is assigned, so that there is never a gap.
 */
export const otherHoldsNonce = async (
  connection: Connection,
  walletId: WalletId,
  id: ChainRequestId,
): Promise<boolean> => {
  const found = await connection.rows(
    z.object({ id: z.string() }),
    `select id from chain_requests held
     where wallet_id = $1 and status = 'Executing' and nonce is not null and id <> $2
       and not exists (
         select from chain_requests sent
         where sent.wallet_id = held.wallet_id and sent.nonce = held.nonce
           and sent.status in ('Broadcasted', 'Confirmed'))
     limit 1`,
    [walletId, id],
  );
  return found.length > 0;
};
