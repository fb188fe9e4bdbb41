import type { ChainRequestId, WalletId } from "@conclave/custody";
import { z } from "zod";
import { optional, safeNumber } from "../columns.ts";
import type { Connection } from "../database.ts";

/**
 * The highest account nonce that a request of this wallet holds; read it under `lockWallet`, so that two requests
 * never take the same one (INV-4). One that failed on the chain counts too: a reorganisation may bring it back.
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
 * Whether another request of the wallet holds an account nonce with which nothing is broadcast yet. Read it under
 * `lockWallet`: while it is so no further nonce is given out, so that none is ever missing in between.
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
