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

/** A wallet that is looked at, and since when: ISO 8601 by the clock of the database, which dates deposits. */
export type TakenLook = Readonly<z.output<typeof lookSchema>>;

/** Which wallets are looked at. */
export interface WantedLooks {
  /** a wallet may hold more coins than so many: those of the last look, and what came from outside since */
  readonly above: number;
  /** milliseconds until the next look at what is taken now */
  readonly everyMs: number;
  /** how many are taken at the most */
  readonly limit: number;
}

/** No look is so late but of a clock that went back: one that was taken by a transaction that began a moment later is a little late. */
const FAR_AHEAD = "now() + 2 * make_interval(secs => $3 / 1000.0)";

/**
 * Takes wallets of a network that may hold many coins and are due, of organisations whose coins the service gathers; none of an end user's,
 * and none that has a gathering under way. Nobody else takes them until their next look is due, whatever becomes of the process. One whose
 * record cannot be read is left out, and reported.
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

/** Notes how many coins a node said that a wallet holds. */
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

/** Has a wallet looked at again sooner than it would be. @param afterMs milliseconds from now */
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
 * Locks a wallet's look until the transaction ends: of two who would gather its coins one waits for the other.
 * @returns whether nothing gathers the wallet's coins by the service's own doing
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
