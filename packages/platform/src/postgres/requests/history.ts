import {
  type ChainWallet,
  type HistoryEntry,
  movedSchema,
  networkSchema,
  transferAssetSchema,
} from "@conclave/custody";
import { z } from "zod";
import { bigNumber, date, optional } from "../columns.ts";
import type { Connection, Listed } from "../database.ts";
import { deposits, movedToken } from "../deposits.ts";
import type { Page } from "../page.ts";
import { selectionOf } from "../table/selection.ts";
import { chainRequests } from "./chain-requests.ts";

const [r, d] = [chainRequests.columns, deposits.columns];

/** Selects entries of a history; absent fields select all. */
export interface HistoryFilter {
  readonly direction?: "In" | "Out" | undefined;
  /** a transfer's kind, such as "Erc20" */
  readonly kind?: string | undefined;
  readonly contract?: string | undefined;
}

const entry = selectionOf({
  id: z.string(),
  network: networkSchema,
  sender: optional(z.string()),
  isOutgoing: z.boolean(),
  requestBody: movedSchema,
  metadata: z.object({ asset: transferAssetSchema }),
  txHash: z.string(),
  place: optional(z.string()),
  blockNumber: bigNumber,
  fee: optional(z.string()),
  dateConfirmed: date,
});

const entrySchema = entry.row.transform(
  ({ isOutgoing, sender: from, metadata: { asset }, ...row }): HistoryEntry => ({
    ...row,
    direction: isOutgoing ? "Out" : "In",
    from,
    asset,
  }),
);

/**
 * Lists a wallet's history, newest first: confirmed transfers of its organisation from the wallet and to its address,
 * and deposits from outside. A movement that is both a transfer and a deposit is listed as the transfer.
 */
export const listHistory = (
  connection: Connection,
  wallet: ChainWallet,
  page: Page,
  filter: HistoryFilter = {},
): Promise<Listed<HistoryEntry>> =>
  connection.listed(
    entrySchema,
    `with sent as (
       select id, network, ${r.requestBody}, metadata, ${r.txHash}, ${r.blockNumber}, fee, ${r.dateConfirmed} from chain_requests
       where ${r.walletId} = $3 and kind = 'Transfer' and status = 'Confirmed'
         and ($8::text is null or $8 = 'Out')
         and ($9::text is null or ${r.requestBody} ->> 'kind' = $9)
         and ($10::text is null or lower(${r.requestBody} ->> 'contract') = lower($10))
         and ($5::timestamptz is null or (${r.dateConfirmed}, id) < ($5, $6))
       order by ${r.dateConfirmed} desc, id desc limit $7
     ), received as (
       select id, network, ${r.walletId}, ${r.requestBody}, metadata, ${r.txHash}, ${r.blockNumber}, fee, ${r.dateConfirmed} from chain_requests
       where ${r.orgId} = $1 and network = $2 and kind = 'Transfer' and status = 'Confirmed'
         and lower(${r.requestBody} ->> 'to') = lower($4) and ($8::text is null or $8 = 'In' and ${r.walletId} <> $3)
         and ($9::text is null or ${r.requestBody} ->> 'kind' = $9)
         and ($10::text is null or lower(${r.requestBody} ->> 'contract') = lower($10))
         and ($5::timestamptz is null or (${r.dateConfirmed}, id) < ($5, $6))
       order by ${r.dateConfirmed} desc, id desc limit $7
     ), ours as (
       select id, network, $4 as sender, true as is_outgoing, ${r.requestBody}, metadata,
         ${r.txHash}, null as place, ${r.blockNumber}, fee, ${r.dateConfirmed} from sent
       union all
       select r.id, r.network, w.address, false, r.${r.requestBody}, r.metadata,
         r.${r.txHash}, null, r.${r.blockNumber}, r.fee, r.${r.dateConfirmed} from received r join wallets w on w.id = r.${r.walletId}
       where r.${r.walletId} <> $3 -- what it sent to itself is among what it sent
     ), from_outside as (
       select d.id, d.network, d.sender, false, d.moved, jsonb_build_object('asset', d.asset),
         d.${d.txHash}, d.place, d.${d.blockNumber}, null, d.${d.dateDetected}
       from deposits d
       where d.${d.walletId} = $3
         and ($8::text is null or $8 = 'In')
         and ($9::text is null or d.moved ->> 'kind' = $9)
         and ($10::text is null or lower(d.moved ->> 'contract') = lower($10))
         and ($5::timestamptz is null or (d.${d.dateDetected}, d.id) < ($5, $6))
         and not exists (
           select 1 from chain_requests r
           where r.${r.orgId} = $1 and r.network = $2 and r.kind = 'Transfer' and r.status = 'Confirmed'
             and lower(r.${r.requestBody} ->> 'to') = lower($4) and r.${r.txHash} = d.${d.txHash}
             and r.${r.requestBody} ->> 'kind' = d.moved ->> 'kind')
       order by d.${d.dateDetected} desc, d.id desc limit $7
     )
     select ${entry.list} from (select * from ours union all select * from from_outside) r
     order by r.${r.dateConfirmed} desc, r.id desc limit $7`,
    [
      wallet.orgId,
      wallet.network,
      wallet.id,
      wallet.address,
      page.after?.date ?? null,
      page.after?.id ?? null,
      page.limit,
      filter.direction ?? null,
      filter.kind ?? null,
      filter.contract ?? null,
    ],
  );

/** Newest deposits of a wallet that are looked at; anybody can make any number of them. */
const DEPOSITS_LOOKED_AT = 5_000;

/**
 * Lists fungible tokens of the wallet's network that the organisation's transfers moved, and after them those that came
 * to the wallet from outside, the last moved first, each as `movedToken` spells it.
 */
export const listKnownTokens = (
  connection: Connection,
  wallet: ChainWallet,
  limit: number,
): Promise<readonly string[]> =>
  connection.listed(
    movedToken.row,
    `select ${movedToken.text} as token from (
       select ${r.requestBody} as body, ${r.dateConfirmed} as date, true as is_ours from chain_requests
       where ${r.orgId} = $1 and network = $2 and kind = 'Transfer' and status = 'Confirmed'
       union all
       (select moved, ${d.dateDetected}, false from deposits where ${d.walletId} = $4
        order by ${d.dateDetected} desc, id desc limit $5)
     ) moved
      where ${movedToken.isFungible}
     group by 1 order by bool_or(is_ours) desc, max(date) desc, 1 limit $3`,
    [wallet.orgId, wallet.network, limit, wallet.id, DEPOSITS_LOOKED_AT],
  );

const uniqueTokenSchema = z.object({
  kind: z.enum(["Erc721", "Trc721"]),
  contract: z.string(),
  tokenId: z.string(),
});
/** A non-fungible token, as named by the transfers that moved it. */
export type UniqueToken = Readonly<z.output<typeof uniqueTokenSchema>>;

/**
 * Lists non-fungible tokens that the wallet received, first by transfers of the organisation, then from outside, each
 * the last one first.
 */
export const listReceivedUniqueTokens = (
  connection: Connection,
  wallet: ChainWallet,
  limit: number,
): Promise<readonly UniqueToken[]> =>
  connection.listed(
    uniqueTokenSchema,
    `select case body ->> 'kind' when 'Erc721' then lower(body ->> 'contract') else body ->> 'contract' end as contract,
       body ->> 'tokenId' as "tokenId", body ->> 'kind' as kind from (
       select ${r.requestBody} as body, ${r.dateConfirmed} as date, true as is_ours from chain_requests
       where ${r.orgId} = $1 and network = $2 and kind = 'Transfer' and status = 'Confirmed'
         and lower(${r.requestBody} ->> 'to') = lower($3)
       union all
       (select moved, ${d.dateDetected}, false from deposits where ${d.walletId} = $5
        order by ${d.dateDetected} desc, id desc limit $6)
     ) moved
     where body ->> 'kind' in ('Erc721', 'Trc721')
     group by 1, 2, 3 order by bool_or(is_ours) desc, max(date) desc, 1, 2 limit $4`,
    [wallet.orgId, wallet.network, wallet.address, limit, wallet.id, DEPOSITS_LOOKED_AT],
  );
