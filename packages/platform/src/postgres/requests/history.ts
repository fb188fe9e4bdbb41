import {
  type ChainWallet,
  type HistoryEntry,
  networkSchema,
  transferBodySchema,
  transferIdSchema,
} from "@conclave/custody";
import { z } from "zod";
import { bigNumber, date, optional } from "../columns.ts";
import type { Connection } from "../database.ts";
import type { Page } from "../page.ts";
import { transferAssetSchema } from "./chain-requests.ts";

/** Selects entries of a history; absent fields select all. */
export interface HistoryFilter {
  readonly direction?: "In" | "Out" | undefined;
  /** a transfer's kind, such as "Erc20" */
  readonly kind?: string | undefined;
  readonly contract?: string | undefined;
}

const rowSchema = z
  .object({
    id: transferIdSchema,
    network: networkSchema,
    sender: z.string(),
    is_outgoing: z.boolean(),
    request_body: transferBodySchema,
    metadata: z.object({ asset: transferAssetSchema }),
    tx_hash: z.string(),
    block_number: bigNumber,
    fee: optional(z.string()),
    date_confirmed: date,
  })
  .transform(
    (row): HistoryEntry => ({
      id: row.id,
      direction: row.is_outgoing ? "Out" : "In",
      network: row.network,
      from: row.sender,
      requestBody: row.request_body,
      asset: row.metadata.asset,
      txHash: row.tx_hash,
      blockNumber: row.block_number,
      fee: row.fee,
      dateConfirmed: row.date_confirmed,
    }),
  );

/**
 * Lists confirmed transfers of the wallet's organisation from the wallet and to its address, newest first. Transfers that others
 * sent are not stored here.
 */
export const listHistory = (
  connection: Connection,
  wallet: ChainWallet,
  page: Page,
  filter: HistoryFilter = {},
): Promise<readonly HistoryEntry[]> =>
  connection.rows(
    rowSchema,
    `select r.id, r.network, w.address as sender, r.wallet_id = $3 as is_outgoing, r.request_body, r.metadata,
       r.tx_hash, r.block_number, r.fee, r.date_confirmed
     from chain_requests r join wallets w on w.id = r.wallet_id
     where r.org_id = $1 and r.network = $2 and r.kind = 'Transfer' and r.status = 'Confirmed'
       and (r.wallet_id = $3 or lower(r.request_body ->> 'to') = lower($4))
       and ($8::text is null or (r.wallet_id = $3) = ($8 = 'Out'))
       and ($9::text is null or r.request_body ->> 'kind' = $9)
       and ($10::text is null or lower(r.request_body ->> 'contract') = lower($10))
       and ($5::timestamptz is null or (r.date_confirmed, r.id) < ($5, $6))
     order by r.date_confirmed desc, r.id desc limit $7`,
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

const tokenSchema = z.object({ token: z.string() }).transform(({ token }) => token);

/**
 * Lists fungible tokens that transfers of the wallet's organisation moved on its network, the last moved first: contracts in
 * lower case, ids of assets, and code and issuer of Stellar's.
 */
export const listKnownTokens = (
  connection: Connection,
  wallet: ChainWallet,
  limit: number,
): Promise<readonly string[]> =>
  connection.rows(
    tokenSchema,
    `select coalesce(
         lower(request_body ->> 'contract'),
         request_body ->> 'assetId',
         (request_body ->> 'assetCode') || ':' || (request_body ->> 'issuer')
       ) as token from chain_requests
     where org_id = $1 and network = $2 and kind = 'Transfer' and status = 'Confirmed'
       and request_body ->> 'kind' in ('Erc20', 'Asa', 'Sep41')
     group by 1 order by max(date_confirmed) desc, 1 limit $3`,
    [wallet.orgId, wallet.network, limit],
  );

const uniqueTokenSchema = z
  .object({ contract: z.string(), token_id: z.string() })
  .transform((row) => ({ contract: row.contract, tokenId: row.token_id }));

/** Lists non-fungible tokens that transfers of the organisation brought to the wallet, the last one first. */
export const listReceivedUniqueTokens = (
  connection: Connection,
  wallet: ChainWallet,
  limit: number,
): Promise<readonly { readonly contract: string; readonly tokenId: string }[]> =>
  connection.rows(
    uniqueTokenSchema,
    `select lower(request_body ->> 'contract') as contract, request_body ->> 'tokenId' as token_id
     from chain_requests
     where org_id = $1 and network = $2 and kind = 'Transfer' and status = 'Confirmed'
       and request_body ->> 'kind' = 'Erc721' and lower(request_body ->> 'to') = lower($3)
     group by 1, 2 order by max(date_confirmed) desc, 1, 2 limit $4`,
    [wallet.orgId, wallet.network, wallet.address, limit],
  );
