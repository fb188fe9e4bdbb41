import {
  movedSchema,
  type Network,
  networkSchema,
  type OrganisationId,
  type TransferBody,
  transferAssetSchema,
  type UserId,
  type WalletId,
  walletIdSchema,
} from "@conclave/custody";
import { z } from "zod";
import { date, optional } from "../columns.ts";
import type { Connection, Listed } from "../database.ts";
import type { Page } from "../page.ts";

/** A confirmed movement of one of an organisation's wallets; what goes from one of them to another is two. */
export interface OrganisationMovement {
  /** of the transfer or of what came from outside; with `:in` behind it for the receiver of a transfer */
  readonly id: string;
  readonly walletId: WalletId;
  readonly network: Network;
  readonly direction: "In" | "Out";
  /** the sender's address; absent where the chain names none */
  readonly from: string | undefined;
  readonly moved: TransferBody;
  readonly symbol: string | undefined;
  readonly decimals: number | undefined;
  /** what the wallet paid for it, in the smallest unit of the native coin */
  readonly fee: string | undefined;
  readonly txHash: string;
  /** of what came from outside, among what its transaction brought to the wallet */
  readonly place: string | undefined;
  /** ISO 8601 UTC: when the chain made its block; where the node did not tell it, when it counted as confirmed */
  readonly dateConfirmed: string;
}

const rowSchema = z
  .object({
    id: z.string(),
    wallet_id: walletIdSchema,
    network: networkSchema,
    direction: z.enum(["In", "Out"]),
    sender: optional(z.string()),
    moved: movedSchema,
    asset: transferAssetSchema,
    fee: optional(z.string()),
    tx_hash: z.string(),
    place: optional(z.string()),
    date_confirmed: date,
  })
  .transform(
    (row): OrganisationMovement => ({
      id: row.id,
      walletId: row.wallet_id,
      network: row.network,
      direction: row.direction,
      from: row.sender,
      moved: row.moved,
      symbol: row.asset.symbol,
      decimals: row.asset.decimals,
      fee: row.fee,
      txHash: row.tx_hash,
      place: row.place,
      dateConfirmed: row.date_confirmed,
    }),
  );

/** Which movements are asked for: those from `start` on and before `end`, ISO 8601; with `ownerId`, of one end user's wallets. */
export interface MovementsAsked {
  readonly orgId: OrganisationId;
  readonly start: string;
  readonly end: string;
  readonly ownerId: UserId | undefined;
}

/**
 * Confirmed transfers of the time from the cursor on: one more than the page has room for, since of the first one the receiver's
 * end may have been on the page before.
 */
const MOVED = `kind = 'Transfer' and status = 'Confirmed' and date_confirmed >= $2::timestamptz and date_confirmed < $3::timestamptz
  and ($4::timestamptz is null or (date_confirmed, id) <= ($4, split_part($5, ':', 1)))
  order by date_confirmed desc, id desc limit $6 + 1`;

/** What came from outside in the time, after the cursor, and no transfer of the organisation tells of. */
const CAME = `d.date_detected >= $2::timestamptz and d.date_detected < $3::timestamptz
  and ($4::timestamptz is null or (d.date_detected, d.id) < ($4, $5))
  and not exists (
    select 1 from chain_requests r
    where r.org_id = $1 and r.network = d.network and r.kind = 'Transfer' and r.status = 'Confirmed'
      and lower(r.request_body ->> 'to') = lower(w.address) and r.tx_hash = d.tx_hash
      and r.request_body ->> 'kind' = d.moved ->> 'kind')
  order by d.date_detected desc, d.id desc limit $6`;

/** Of which wallets a page may tell, and of which rows at the most: no more of a long past is read, of whomever it is. */
const OF_ORGANISATION = `known as (select id, network, address from wallets where org_id = $1),
  moved_id as (select id from chain_requests where org_id = $1 and ${MOVED}),
  came_id as (select d.id from deposits d join wallets w on w.id = d.wallet_id where d.org_id = $1 and ${CAME})`;
const OF_OWNER = `known as (
    select w.id, w.network, w.address from wallets w join keys k on k.id = w.key_id where w.org_id = $1 and k.delegated_to = $7
  ), moved_id as (
    select r.id from known w, lateral (select id from chain_requests where wallet_id = w.id and ${MOVED}) r
    union
    select r.id from known w, lateral (
      select id from chain_requests
      where org_id = $1 and network = w.network and lower(request_body ->> 'to') = lower(w.address) and ${MOVED}
    ) r
  ), came_id as (
    select c.id from known w, lateral (select d.id from deposits d where d.wallet_id = w.id and ${CAME}) c
  )`;

/**
 * Lists what an organisation's wallets sent and received, newest first. What both a transfer of the organisation and a block tell of is
 * listed as the transfer.
 */
export const listOrganisationHistory = (
  connection: Connection,
  { orgId, start, end, ownerId }: MovementsAsked,
  page: Page,
): Promise<Listed<OrganisationMovement>> =>
  connection.listed(
    rowSchema,
    `with ${ownerId === undefined ? OF_ORGANISATION : OF_OWNER}, moved as (
       select id, wallet_id, network, request_body, metadata -> 'asset' as asset, fee, tx_hash, date_confirmed
       from chain_requests where id in (select id from moved_id)
     ), listed as (
       select m.id, m.wallet_id, m.network, 'Out' as direction, w.address as sender,
         m.request_body as moved, m.asset, m.fee, m.tx_hash, null as place, m.date_confirmed
       from moved m join known w on w.id = m.wallet_id
       union all
       select m.id || ':in', w.id, m.network, 'In', s.address, m.request_body, m.asset, null, m.tx_hash, null, m.date_confirmed
       from moved m
       join known w on w.network = m.network and lower(w.address) = lower(m.request_body ->> 'to') and w.id <> m.wallet_id
       join wallets s on s.id = m.wallet_id
       union all
       select d.id, d.wallet_id, d.network, 'In', d.sender, d.moved, d.asset, null, d.tx_hash, d.place, d.date_detected
       from deposits d join known w on w.id = d.wallet_id
       where d.id in (select id from came_id)
     )
     select * from listed l
     where $4::timestamptz is null or (l.date_confirmed, l.id) < ($4, $5)
     order by l.date_confirmed desc, l.id desc limit $6`,
    [
      orgId,
      start,
      end,
      page.after?.date ?? null,
      page.after?.id ?? null,
      page.limit,
      ...(ownerId === undefined ? [] : [ownerId]),
    ],
  );
