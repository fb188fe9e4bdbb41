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

/** A confirmed movement of one of an organisation's wallets; a transfer between two of them is two movements. */
export interface OrganisationMovement {
  /** id of the transfer or deposit; followed by `:in` for the receiving end of a transfer */
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
  /** for a deposit: its position within its transaction */
  readonly place: string | undefined;
  /** ISO 8601 UTC: the time of the block; if the node did not give it, the time of the confirmation */
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

/** Selects movements from `start` on and before `end`, ISO 8601; with `ownerId`, only those of one end user's wallets. */
export interface MovementsAsked {
  readonly orgId: OrganisationId;
  readonly start: string;
  readonly end: string;
  readonly ownerId: UserId | undefined;
}

/**
 * Confirmed transfers in the period, from the cursor on. One more than the page needs, because the receiving end of the
 * first one may have been on the previous page.
 */
const MOVED = `kind = 'Transfer' and status = 'Confirmed' and ${r.dateConfirmed} >= $2::timestamptz and ${r.dateConfirmed} < $3::timestamptz
  and ($4::timestamptz is null or (${r.dateConfirmed}, id) <= ($4, split_part($5, ':', 1)))
  order by ${r.dateConfirmed} desc, id desc limit $6 + 1`;

/** Deposits from outside in the period, after the cursor, that are not also a transfer of the organisation. */
const CAME = `d.${d.dateDetected} >= $2::timestamptz and d.${d.dateDetected} < $3::timestamptz
  and ($4::timestamptz is null or (d.${d.dateDetected}, d.id) < ($4, $5))
  and not exists (
    select 1 from chain_requests r
    where r.${r.orgId} = $1 and r.network = d.network and r.kind = 'Transfer' and r.status = 'Confirmed'
      and lower(r.${r.requestBody} ->> 'to') = lower(w.address) and r.${r.txHash} = d.${d.txHash}
      and r.${r.requestBody} ->> 'kind' = d.moved ->> 'kind')
  order by d.${d.dateDetected} desc, d.id desc limit $6`;

/**
 * The wallets and the candidate rows of a page, with a limit, so that a long past is never read as a whole, with or
 * without an owner.
 */
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
 * Lists the movements of an organisation's wallets, newest first. A movement that is both a transfer of the
 * organisation and a deposit is listed as the transfer.
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
