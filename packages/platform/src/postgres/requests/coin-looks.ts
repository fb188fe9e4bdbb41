import { type Network, type WalletId, walletIdSchema } from "@conclave/custody";
import { z } from "zod";
import { date } from "../columns.ts";
import type { Connection } from "../database.ts";
import { deposits } from "../deposits.ts";
import { keys } from "../keys/keys.ts";
import { wallets } from "../keys/wallets.ts";
import { GATHERS_COINS_FOR } from "../people/organisations.ts";
import { selectionOf } from "../table/selection.ts";
import { chainRequests } from "./chain-requests.ts";

const [r, d] = [chainRequests.columns, deposits.columns];
const [w, k] = [wallets.columns, keys.columns];

const IS_UNDER_WAY = `r.${r.isGathering} and r.status in ('Pending', 'Executing', 'Broadcasted')`;

const look = selectionOf({ walletId: walletIdSchema });
const lookSchema = look.row.extend({ date });

/**
 * A wallet whose coins are counted, and the time of the claim, ISO 8601 by the database's clock, which also dates
 * deposits.
 */
export type TakenLook = Readonly<z.output<typeof lookSchema>>;

/** Selects the wallets whose coins are counted. */
export interface WantedLooks {
  /** only wallets that may hold more coins than this: those of the last count, plus deposits since */
  readonly above: number;
  /** milliseconds until the next count of the wallets that are taken now */
  readonly everyMs: number;
  /** how many wallets are taken at most */
  readonly limit: number;
}

/**
 * A next count after this time was dated before the clock was set back. One taken by a transaction that began a moment
 * later is only a little late.
 */
const FAR_AHEAD = "now() + 2 * make_interval(secs => $3 / 1000.0)";

/**
 * Takes due wallets of a network that may hold many coins, of organisations whose coins the service gathers. It leaves
 * out wallets of end users, and wallets with a gathering under way. Nobody else takes them until their next count is
 * due, even if this process dies. A wallet whose row cannot be read is left out and reported.
 */
export const takeCoinLooks = (
  connection: Connection,
  network: Network,
  { above, everyMs, limit }: WantedLooks,
): Promise<readonly TakenLook[]> =>
  connection.listed(
    lookSchema,
    `with due as (
       select w.id from wallets w
         join organisations o on o.id = w.${w.orgId} join keys k on k.id = w.${w.keyId}
         left join coin_looks l on l.wallet_id = w.id
        where w.network = $1 and w.status = 'Active' and w.address is not null
          and o.${GATHERS_COINS_FOR} is not null and k.${k.delegatedTo} is null
          and (l.next_look is null or l.next_look <= now() or l.next_look > ${FAR_AHEAD})
          and not exists (select from chain_requests r where r.${r.walletId} = w.id and ${IS_UNDER_WAY})
          and coalesce(l.coins, 0) + (
            select count(*) from (
              select from deposits d where d.${d.walletId} = w.id and d.${d.dateStored} > coalesce(l.date_looked, '-infinity')
               limit $2::integer + 1) came) > $2::integer
        order by l.next_look nulls first, w.id limit $4)
     insert into coin_looks as taken (wallet_id, next_look)
       select id, now() + make_interval(secs => $3 / 1000.0) from due
     on conflict (wallet_id) do update set next_look = excluded.next_look
       where taken.next_look <= now() or taken.next_look > ${FAR_AHEAD}
     returning ${look.list}, now() as date`,
    [network, above, everyMs, limit],
  );

/** Stores how many coins a wallet holds, as a node answered. */
export const noteCoins = async (
  connection: Connection,
  { walletId, date }: TakenLook,
  coins: number,
): Promise<void> => {
  await connection.execute("update coin_looks set coins = $2, date_looked = $3 where wallet_id = $1", [
    walletId,
    coins,
    date,
  ]);
};

/** Sets an earlier time for a wallet's next count. @param afterMs milliseconds from now */
export const hastenCoinLook = async (
  connection: Connection,
  walletId: WalletId,
  afterMs: number,
): Promise<void> => {
  await connection.execute(
    "update coin_looks set next_look = now() + make_interval(secs => $2 / 1000.0) where wallet_id = $1",
    [walletId, afterMs],
  );
};

/**
 * Locks a wallet's row of coin_looks until the transaction ends, so that two processes cannot gather its coins at the
 * same time.
 *
 * @returns whether no gathering of the wallet's coins by the service is under way
 */
export const mayGatherCoins = async (connection: Connection, walletId: WalletId): Promise<boolean> => {
  await connection.rows(z.unknown(), "select from coin_looks where wallet_id = $1 for update", [walletId]);
  const under = await connection.rows(
    z.unknown(),
    `select from chain_requests r where r.${r.walletId} = $1 and ${IS_UNDER_WAY} limit 1`,
    [walletId],
  );
  return under.length === 0;
};
