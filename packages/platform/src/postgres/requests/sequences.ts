import type { ChainRequest, ChainRequestId, WalletId } from "@conclave/custody";
import { z } from "zod";
import { bigNumber, bytes, optional } from "../columns.ts";
import type { Connection } from "../database.ts";
import { selectionOf } from "../table/selection.ts";
import { chainRequests } from "./chain-requests.ts";

const r = chainRequests.columns;

/** The statement of `highestSequence` for wallet $1. */
export const HIGHEST_PLACE = `select max(sequence) as highest from chain_requests
   where ${r.walletId} = $1 and (status not in ('Failed', 'Rejected')
     or ${r.signedTransaction} is not null and (${r.blockHash} is not null or ${r.deadTransactions} = 0))`;

/**
 * The highest place (position in the account's sequence of transactions) that a request of this wallet holds. A request
 * that failed on chain counts too, because a reorganisation may bring it back. A request that failed after it was built
 * several times is dead, and its place is free, unless it is in a block. A caller that takes a place reads this by
 * `readWalletLine`.
 *
 * @returns undefined if no request holds a place, as in families that count no transactions
 */
export const highestSequence = async (
  connection: Connection,
  walletId: WalletId,
): Promise<bigint | undefined> => {
  const [row] = await connection.rows(z.object({ highest: optional(bigNumber) }), HIGHEST_PLACE, [walletId]);
  return row?.highest;
};

/**
 * A request of wallet $1, other than $2, with a place for which no transaction is broadcast, or mined and reverted.
 * While there is such a request no further place is given out, so that the sequence has no gap.
 */
export const HELD_PLACE = `select id from chain_requests held
   where ${r.walletId} = $1 and status = 'Executing' and sequence is not null and id <> $2
     and not exists (
       select from chain_requests sent
       where sent.${r.walletId} = held.${r.walletId} and sent.sequence = held.sequence
         and (sent.status in ('Broadcasted', 'Confirmed') or sent.status = 'Failed' and sent.${r.blockHash} is not null))
   limit 1`;

/**
 * Whether a request waits behind another one of its wallet: a request with a lower place is open, and no transaction
 * with that place is in a block. In families that count no transactions, none waits.
 */
export const waitsBehind = async (
  connection: Connection,
  { id, walletId, sequence }: Pick<ChainRequest, "id" | "walletId" | "sequence">,
): Promise<boolean> => {
  if (sequence === undefined) return false;
  const before = await connection.rows(
    z.object({ id: z.string() }),
    `select id from chain_requests lower
     where ${r.walletId} = $1 and sequence < $2 and status in ('Executing', 'Broadcasted') and id <> $3
       and not exists (
         select from chain_requests landed
         where landed.${r.walletId} = lower.${r.walletId} and landed.sequence = lower.sequence
           and (landed.status = 'Confirmed' or landed.status = 'Failed' and landed.${r.blockHash} is not null))
     limit 1`,
    [walletId, sequence.toString(), id],
  );
  return before.length > 0;
};

/**
 * Whether another request of the wallet was built, may still land, and has the very same bytes: on chain they are one
 * transaction, which either request would take for its own (INV-4). Certain if read after `readWalletLine`.
 */
export const otherIsSameBytes = async (
  connection: Connection,
  walletId: WalletId,
  id: ChainRequestId,
  unsigned: Uint8Array,
): Promise<boolean> => {
  const found = await connection.rows(
    z.object({ id: z.string() }),
    `select id from chain_requests
     where ${r.walletId} = $1 and status in ('Executing', 'Broadcasted') and ${r.unsignedTransaction} = $3 and id <> $2 limit 1`,
    [walletId, id, unsigned],
  );
  return found.length > 0;
};

/** Reads the signed requests of a wallet with this place, the newest first. */
export const listSignedWithSequence = (
  connection: Connection,
  walletId: WalletId,
  sequence: bigint,
): Promise<readonly ChainRequest[]> =>
  chainRequests.rows(
    connection,
    `where ${r.walletId} = $1 and sequence = $2 and ${r.signedTransaction} is not null
     order by ${r.dateRequested} desc, id desc`,
    [walletId, sequence.toString()],
  );

/** Most open requests of one wallet that are compared; if there are more, further requests wait. */
const ALIVE_MAX = 256;

/** A transaction of a wallet that may still land, or has landed. */
export interface AliveTransaction {
  readonly requestId: string;
  readonly unsigned: Uint8Array;
  /** undefined for a transaction that version 0.1 built */
  readonly exclusion: Uint8Array | undefined;
}

const alive = selectionOf({ id: z.string(), unsignedTransaction: bytes, exclusion: optional(bytes) });

const aliveSchema = alive.row.transform(
  ({ id: requestId, unsignedTransaction: unsigned, exclusion }): AliveTransaction => ({
    requestId,
    unsigned,
    exclusion,
  }),
);

/**
 * Reads the transactions of a wallet's other requests that may still land, so that no two spend the same coins
 * unnecessarily. Certain if read after `readWalletLine`.
 *
 * @param except requests to leave out: the one that is being built, and those whose place it takes
 * @returns undefined if there are more than ALIVE_MAX
 */
export const listAliveTransactions = async (
  connection: Connection,
  walletId: WalletId,
  except: readonly string[],
): Promise<readonly AliveTransaction[] | undefined> => {
  const rows = await connection.rows(
    aliveSchema,
    `select ${alive.list} from chain_requests
     where ${r.walletId} = $1 and status in ('Executing', 'Broadcasted') and ${r.unsignedTransaction} is not null
       and not id = any($2)
     order by ${r.dateRequested}, id limit $3`,
    [walletId, except, ALIVE_MAX + 1],
  );
  if (rows.length > ALIVE_MAX) return undefined;
  return rows;
};

/** More transactions of one wallet than can land while another is being built. */
const LANDED_MEANWHILE_MAX = 64;

/**
 * Reads the transactions of a wallet's other requests that landed last, at most LANDED_MEANWHILE_MAX. If one landed
 * while a transaction was being built, that transaction was built from the chain's earlier state. Certain if read after
 * `readWalletLine`.
 */
export const listLandedTransactions = (
  connection: Pick<Connection, "rows">,
  walletId: WalletId,
  except: ChainRequestId,
): Promise<readonly AliveTransaction[]> =>
  connection.rows(
    aliveSchema,
    `select ${alive.list} from (
       select id, ${r.unsignedTransaction}, exclusion from chain_requests
       where ${r.walletId} = $1 and status = 'Confirmed' order by ${r.dateBroadcasted} desc limit $3) as landed
     where id <> $2 and ${r.unsignedTransaction} is not null`,
    [walletId, except, LANDED_MEANWHILE_MAX],
  );
