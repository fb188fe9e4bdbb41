import type { ChainRequest, WalletId } from "@conclave/custody";
import { z } from "zod";
import { bigNumber, optional } from "../columns.ts";
import type { Connection } from "../database.ts";
import { chainRequests } from "./chain-requests.ts";
import { RULED_OUT } from "./unsure-requests.ts";

const r = chainRequests.columns;

/**
 * Seconds after which a transaction that was broadcast and is in no block may be dead; families that build again then
 * reuse its place.
 */
const MAY_BE_DEAD_S = 120;

/**
 * Condition for rows of wallet $1 whose transaction explains its place: it is in a block, or a node took it into its
 * pool. Where places become free by time ($3), an older transaction in a pool does not count.
 */
const EXPLAINS = `${r.walletId} = $1 and sequence is not null and ${r.signedTransaction} is not null
  and (${r.blockHash} is not null
    or status = 'Broadcasted' and (not $3 or ${r.dateBroadcasted} > now() - make_interval(secs => ${MAY_BE_DEAD_S})))`;

const FLOOR = `select sequence from chain_requests where ${EXPLAINS} and ${r.dateBroadcasted} < $2
  order by sequence desc limit 1`;

/** The places of a wallet's transactions at a time, as its records explain them. */
export interface SentPlaces {
  /** the highest place of earlier transactions: later ones have higher places; undefined if there is none */
  readonly floor: bigint | undefined;
  /** how many places above the floor are explained */
  readonly explained: bigint;
}

const placesSchema = z.object({ floor: optional(bigNumber), explained: bigNumber });

/**
 * Counts the places of a wallet that its recorded transactions explain.
 *
 * @param since ISO 8601 UTC
 * @param isFreed whether places become free by time
 */
export const countSentPlaces = async (
  connection: Pick<Connection, "rows">,
  walletId: WalletId,
  since: string,
  isFreed: boolean,
): Promise<SentPlaces> => {
  const [found] = await connection.rows(
    placesSchema,
    `with floor as (${FLOOR})
     select (select sequence from floor) as floor, count(distinct sequence) as explained from chain_requests
     where ${EXPLAINS} and sequence > coalesce((select sequence from floor), -1)`,
    [walletId, since, isFreed],
  );
  return found ?? { floor: undefined, explained: 0n };
};

/** The explained places above a floor. */
export const listSentPlaces = async (
  connection: Pick<Connection, "rows">,
  walletId: WalletId,
  floor: bigint | undefined,
  isFreed: boolean,
): Promise<ReadonlySet<bigint>> => {
  const rows = await connection.rows(
    z.object({ sequence: bigNumber }),
    `select distinct sequence from chain_requests where ${EXPLAINS} and sequence > $2`,
    [walletId, (floor ?? -1n).toString(), isFreed],
  );
  return new Set(rows.map(({ sequence }) => sequence));
};

/** Limits of the requests that are compared with one transaction. */
const EARLIER_MAX = 256;
const OTHERS_MAX = 1_024;

/** Reads the other authorised requests of a wallet that have no signed transaction on record, in order of time. */
export const listOthersUnsigned = (
  connection: Pick<Connection, "rows">,
  { id, walletId }: ChainRequest,
): Promise<readonly ChainRequest[]> =>
  chainRequests.rows(
    connection,
    `where ${r.walletId} = $1 and id <> $2 and status in ('Pending', 'Executing') and ${r.signedTransaction} is null
       and authorisation is not null
     order by ${r.datePolicyResolved}, id limit ${OTHERS_MAX}`,
    [walletId, id],
  );

/**
 * Reads the requests of a wallet that were authorised before this one and have no signed transaction, in order of time.
 * It leaves out those that an operator declared not carried out: no landed transaction is theirs.
 */
export const listEarlierUnbuilt = (
  connection: Pick<Connection, "rows">,
  { id, walletId, datePolicyResolved, dateRequested }: ChainRequest,
): Promise<readonly ChainRequest[]> =>
  chainRequests.rows(
    connection,
    `where ${r.walletId} = $1 and status in ('Pending', 'Executing') and ${r.signedTransaction} is null
       and authorisation is not null and (${r.datePolicyResolved}, id) < ($3, $2)
       and not exists (${RULED_OUT})
     order by ${r.datePolicyResolved}, id limit ${EARLIER_MAX}`,
    [walletId, id, datePolicyResolved ?? dateRequested],
  );
