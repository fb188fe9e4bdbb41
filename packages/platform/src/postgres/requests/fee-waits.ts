import type { ChainRequestId, Network } from "@conclave/custody";
import { z } from "zod";
import { bigNumber } from "../columns.ts";
import type { Connection } from "../database.ts";
import { selectionOf } from "../table/selection.ts";
import { chainRequests } from "./chain-requests.ts";

const { columns: r, shape } = chainRequests;

const waiting = selectionOf({ requestId: shape.id }, "w");
const waitSchema = waiting.row.extend({
  /** the height of the chain when the transaction was first seen to wait, or when a gateway last looked at it */
  sinceHeight: bigNumber,
});

/** A signed transaction that waits to land. */
export type FeeWait = Readonly<z.output<typeof waitSchema>>;

/** Records waiting transactions that are still open and not recorded yet. */
export const noteFeeWaits = async (
  connection: Connection,
  network: Network,
  waits: readonly FeeWait[],
): Promise<void> => {
  await connection.execute(
    `insert into fee_waits (request_id, network, since_height)
     select noted.id, $1, noted.height from unnest($2::text[], $3::bigint[]) noted (id, height)
     join chain_requests r on r.id = noted.id
     where r.network = $1 and r.status in ('Executing', 'Broadcasted') and r.${r.txHash} is not null
     order by noted.id on conflict (request_id) do nothing`,
    [
      network,
      waits.map(({ requestId }) => requestId),
      waits.map(({ sinceHeight }) => sinceHeight.toString()),
    ],
  );
};

/** Deletes a network's waits that are over. A wait that a reorganisation brings back is recorded anew. */
export const forgetFeeWaits = async (connection: Connection, network: Network): Promise<void> => {
  await connection.execute(
    `delete from fee_waits w where network = $1 and not exists (
       select from chain_requests r where r.id = w.request_id and r.status in ('Executing', 'Broadcasted'))`,
    [network],
  );
};

// the wait's network must be that of the request's row: an orchestrator could otherwise make another network's fee cap
// apply
const IS_REPLACEABLE = `r.network = w.network and r.status in ('Executing', 'Broadcasted') and r.${r.replacementId} is null`;

/** Whether any transaction of a network waits and may be replaced. */
export const hasFeeWaits = async (connection: Connection, network: Network): Promise<boolean> => {
  const found = await connection.rows(
    z.unknown(),
    `select from fee_waits w join chain_requests r on r.id = w.request_id
     where w.network = $1 and ${IS_REPLACEABLE} limit 1`,
    [network],
  );
  return found.length > 0;
};

/**
 * Lowers recorded heights that are above the chain, as a node on another chain or an orchestrator once reported them:
 * they would prevent fee bumps until the chain gets there. A node that is a little behind changes nothing.
 *
 * @param height current height of the chain
 * @param ahead how far above it a recorded height is still believed
 */
export const correctFeeWaits = async (
  connection: Connection,
  network: Network,
  height: bigint,
  ahead: number,
): Promise<void> => {
  await connection.execute(
    `update fee_waits set since_height = least(since_height, $2), looked_height = least(looked_height, $2)
     where network = $1 and greatest(since_height, looked_height) > $3`,
    [network, height.toString(), (height + BigInt(ahead)).toString()],
  );
};

/**
 * Restarts, in one statement, the waits of transactions that wait behind another one of their account: a higher fee
 * would not help them, and there may be thousands. A transaction that becomes the first of its account gets a full wait
 * of its own. A request whose replacement has landed stays open until that block is final, but nothing waits behind it.
 *
 * @param due the waits that began at a block of at most this height
 * @param height the height from which they wait anew
 */
export const putOffWaitsBehind = async (
  connection: Connection,
  network: Network,
  due: bigint,
  height: bigint,
): Promise<void> => {
  await connection.execute(
    `with waiting as (
       select w.request_id, r.sequence, min(r.sequence) over (partition by r.${r.walletId}) as lowest
         from fee_waits w join chain_requests r on r.id = w.request_id
        where w.network = $1 and r.network = $1 and r.status in ('Executing', 'Broadcasted') and r.sequence is not null
          and not exists (
            select from chain_requests landed
            where landed.${r.walletId} = r.${r.walletId} and landed.sequence = r.sequence
              and (landed.status = 'Confirmed' or landed.status = 'Failed' and landed.${r.blockHash} is not null))),
     behind as (
       select w.request_id from waiting join fee_waits w on w.request_id = waiting.request_id
        where waiting.sequence > waiting.lowest and greatest(w.since_height, w.looked_height) <= $2
        for update of w skip locked)
     update fee_waits w set looked_height = $3 from behind where w.request_id = behind.request_id`,
    [network, due.toString(), height.toString()],
  );
};

/**
 * Takes transactions that have waited since a block of at most this height, the longest waits first. Other processes
 * skip them until the lease ends. A lease that ends more than two leases from now does not count, because the clock was
 * set back; one from a transaction that began a moment later ends only a little late.
 */
export const takeFeeWaits = (
  connection: Connection,
  network: Network,
  height: bigint,
  leaseMs: number,
  limit: number,
): Promise<readonly FeeWait[]> =>
  connection.rows(
    waitSchema,
    `with chosen as (
       select w.request_id from fee_waits w join chain_requests r on r.id = w.request_id
        where w.network = $1 and greatest(w.since_height, w.looked_height) <= $2
          and (w.held_until is null or w.held_until < now() or w.held_until > now() + 2 * make_interval(secs => $3 / 1000.0))
          and ${IS_REPLACEABLE}
        order by greatest(w.since_height, w.looked_height), w.request_id limit $4 for update of w skip locked)
     update fee_waits w set held_until = now() + make_interval(secs => $3 / 1000.0)
       from chosen where w.request_id = chosen.request_id
     returning ${waiting.list}, greatest(w.since_height, w.looked_height)::text as "sinceHeight"`,
    [network, height.toString(), leaseMs, limit],
  );

/**
 * Stores the sentence that was logged about a waiting transaction.
 *
 * @returns whether it differs from the stored one
 */
export const noteFeeWait = async (
  connection: Connection,
  id: ChainRequestId,
  words: string,
): Promise<boolean> =>
  (await connection.execute(
    "update fee_waits set told = $2 where request_id = $1 and told is distinct from $2",
    [id, words],
  )) > 0;

/** Releases a transaction that was looked at: it waits anew from this height. */
export const putOffFeeWait = async (
  connection: Connection,
  id: ChainRequestId,
  height: bigint,
): Promise<void> => {
  await connection.execute(
    "update fee_waits set looked_height = $2, held_until = null where request_id = $1",
    [id, height.toString()],
  );
};

/**
 * How often the service has raised the fee in a replacement chain, failed attempts included.
 *
 * @param replaced the requests of the chain
 */
export const countFeeBumps = async (
  connection: Connection,
  replaced: readonly ChainRequestId[],
): Promise<number> => {
  const made = await connection.rows(
    z.unknown(),
    `select from chain_requests where ${r.isFeeBump} and ${r.replacesId} = any($1)`,
    [replaced],
  );
  return made.length;
};
