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
import { deposits } from "../deposits.ts";
import { keys } from "../keys/keys.ts";
import { wallets } from "../keys/wallets.ts";
import type { Page } from "../page.ts";
import { selectionOf } from "../table/selection.ts";
import { chainRequests } from "./chain-requests.ts";

const [r, d] = [chainRequests.columns, deposits.columns];
const [w, k] = [wallets.columns, keys.columns];

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
  /** the fee that the wallet paid for it, in the smallest unit of the native coin */
  readonly fee: string | undefined;
  readonly txHash: string;
  /** of what came from outside, among what its transaction brought to the wallet */
  readonly place: string | undefined;
  /** ISO 8601 UTC: when the chain made its block; where the node did not tell it, when it counted as confirmed */
  readonly dateConfirmed: string;
}

const movement = selectionOf({
  id: z.string(),
  walletId: walletIdSchema,
  network: networkSchema,
  direction: z.enum(["In", "Out"]),
  sender: optional(z.string()),
  moved: movedSchema,
  asset: transferAssetSchema,
  fee: optional(z.string()),
  txHash: z.string(),
  place: optional(z.string()),
  dateConfirmed: date,
});

const movementSchema = movement.row.transform(
  ({ sender: from, asset: { symbol, decimals }, ...row }): OrganisationMovement => ({
    ...row,
    from,
    symbol,
    decimals,
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
const MOVED = `kind = 'Transfer' and status = 'Confirmed' and ${r.dateConfirmed} >= $2::timestamptz and ${r.dateConfirmed} < $3::timestamptz
  and ($4::timestamptz is null or (${r.dateConfirmed}, id) <= ($4, split_part($5, ':', 1)))
  order by ${r.dateConfirmed} desc, id desc limit $6 + 1`;

/** Deposits from outside in the time, after the cursor, of which no transfer of the organisation tells. */
const CAME = `d.${d.dateDetected} >= $2::timestamptz and d.${d.dateDetected} < $3::timestamptz
  and ($4::timestamptz is null or (d.${d.dateDetected}, d.id) < ($4, $5))
  and not exists (
    select 1 from chain_requests r
    where r.${r.orgId} = $1 and r.network = d.network and r.kind = 'Transfer' and r.status = 'Confirmed'
      and lower(r.${r.requestBody} ->> 'to') = lower(w.address) and r.${r.txHash} = d.${d.txHash}
      and r.${r.requestBody} ->> 'kind' = d.moved ->> 'kind')
  order by d.${d.dateDetected} desc, d.id desc limit $6`;

/** Of which wallets a page may tell, and of which rows at the most: no more of a long past is read, of whomever it is. */
const OF_ORGANISATION = `known as (select id, network, address from wallets where ${w.orgId} = $1),
  moved_id as (select id from chain_requests where ${r.orgId} = $1 and ${MOVED}),
  came_id as (select d.id from deposits d join wallets w on w.id = d.${d.walletId} where d.${d.orgId} = $1 and ${CAME})`;
const OF_OWNER = `known as (
    select w.id, w.network, w.address from wallets w join keys k on k.id = w.${w.keyId} where w.${w.orgId} = $1 and k.${k.delegatedTo} = $7
  ), moved_id as (
    select r.id from known w, lateral (select id from chain_requests where ${r.walletId} = w.id and ${MOVED}) r
    union
    select r.id from known w, lateral (
      select id from chain_requests
      where ${r.orgId} = $1 and network = w.network and lower(${r.requestBody} ->> 'to') = lower(w.address) and ${MOVED}
    ) r
  ), came_id as (
    select c.id from known w, lateral (select d.id from deposits d where d.${d.walletId} = w.id and ${CAME}) c
  )`;

/**
 * Lists what an organisation's wallets sent and received, newest first. A movement of which both a transfer of the organisation and a block
 * tell is listed as the transfer.
 */
export const listOrganisationHistory = (
  connection: Connection,
  { orgId, start, end, ownerId }: MovementsAsked,
  page: Page,
): Promise<Listed<OrganisationMovement>> =>
  connection.listed(
    movementSchema,
    `with ${ownerId === undefined ? OF_ORGANISATION : OF_OWNER}, moved as (
       select id, ${r.walletId}, network, ${r.requestBody}, metadata -> 'asset' as asset, fee, ${r.txHash}, ${r.dateConfirmed}
       from chain_requests where id in (select id from moved_id)
     ), listed as (
       select m.id, m.${r.walletId}, m.network, 'Out' as direction, w.address as sender,
         m.${r.requestBody} as moved, m.asset, m.fee, m.${r.txHash}, null as place, m.${r.dateConfirmed}
       from moved m join known w on w.id = m.${r.walletId}
       union all
       select m.id || ':in', w.id, m.network, 'In', s.address, m.${r.requestBody}, m.asset, null, m.${r.txHash}, null, m.${r.dateConfirmed}
       from moved m
       join known w on w.network = m.network and lower(w.address) = lower(m.${r.requestBody} ->> 'to') and w.id <> m.${r.walletId}
       join wallets s on s.id = m.${r.walletId}
       union all
       select d.id, d.${d.walletId}, d.network, 'In', d.sender, d.moved, d.asset, null, d.${d.txHash}, d.place, d.${d.dateDetected}
       from deposits d join known w on w.id = d.${d.walletId}
       where d.id in (select id from came_id)
     )
     select ${movement.list} from listed l
     where $4::timestamptz is null or (l.${r.dateConfirmed}, l.id) < ($4, $5)
     order by l.${r.dateConfirmed} desc, l.id desc limit $6`,
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
