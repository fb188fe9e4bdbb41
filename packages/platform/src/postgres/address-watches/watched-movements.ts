import {
  type AddressWatch,
  addressWatchIdSchema,
  movedSchema,
  networkSchema,
  organisationIdSchema,
  transferAssetSchema,
  type WatchedMovement,
  watchedMovementIdOf,
  watchedMovementIdSchema,
} from "@conclave/custody";
import { z } from "zod";
import { bigNumber, date, optional } from "../columns.ts";
import type { Connection, Listed } from "../database.ts";
import { movedToken } from "../deposits.ts";
import type { Page } from "../page.ts";
import type { HistoryFilter } from "../requests/history.ts";
import { selectionOf } from "../table/selection.ts";
import { mappedTable } from "../table/table.ts";

const columns = {
  id: watchedMovementIdSchema,
  orgId: organisationIdSchema,
  addressWatchId: addressWatchIdSchema,
  network: networkSchema,
  direction: z.enum(["In", "Out"]),
  txHash: z.string(),
  /** identifies the movement within its transaction */
  place: z.string(),
  sender: optional(z.string()),
  moved: movedSchema,
  asset: transferAssetSchema,
  blockNumber: bigNumber,
  dateDetected: date,
};

export const watchedMovements = mappedTable(
  "watched_movements",
  columns,
  {
    row: selectionOf(columns).row.transform(
      ({ sender: from, dateDetected, ...row }): WatchedMovement => ({ ...row, from, date: dateDetected }),
    ),
  },
  { pagedBy: "dateDetected" },
);
const { columns: m } = watchedMovements;

const COLUMNS =
  "movement (id text, org_id text, address_watch_id text, network text, direction text, tx_hash text, place text, sender text, moved jsonb, asset jsonb, block_number bigint, date_detected timestamptz)";

/** Stores movements in one statement. @returns those that were new, in their order */
export const insertWatchedMovements = async <Given extends Omit<WatchedMovement, "id">>(
  connection: Connection,
  given: readonly Given[],
): Promise<readonly Given[]> => {
  // a node may report the same movement twice
  const distinct = new Map(given.map((movement) => [watchedMovementIdOf(movement), movement]));
  if (distinct.size === 0) return [];
  const rows = [...distinct].map(([id, movement]) => ({
    id,
    org_id: movement.orgId,
    address_watch_id: movement.addressWatchId,
    network: movement.network,
    direction: movement.direction,
    tx_hash: movement.txHash,
    place: movement.place,
    sender: movement.from,
    moved: movement.moved,
    asset: movement.asset,
    block_number: movement.blockNumber.toString(),
    date_detected: movement.date,
  }));
  const stored = await connection.rows(
    z.object({ id: watchedMovementIdSchema }),
    `insert into watched_movements (id, org_id, address_watch_id, network, direction, tx_hash, place, sender, moved, asset, block_number, date_detected)
     select * from jsonb_to_recordset($1::jsonb) as ${COLUMNS} on conflict do nothing returning id`,
    [JSON.stringify(rows)],
  );
  const ids = new Set(stored.map(({ id }) => id));
  return [...distinct].flatMap(([id, movement]) => (ids.has(id) ? [movement] : []));
};

/** Lists the movements at a watched address, newest first. */
export const listWatchedMovements = (
  connection: Connection,
  { id }: Pick<AddressWatch, "id">,
  page: Page,
  { direction, kind, contract }: HistoryFilter = {},
): Promise<Listed<WatchedMovement>> =>
  watchedMovements.page(
    connection,
    `${m.addressWatchId} = $1 and ($2::text is null or direction = $2)
       and ($3::text is null or moved ->> 'kind' = $3)
       and ($4::text is null or lower(moved ->> 'contract') = lower($4))`,
    [id, direction ?? null, kind ?? null, contract ?? null],
    page,
  );

/** Newest movements of a watch that are looked at; anybody can make any number of them. */
const MOVEMENTS_LOOKED_AT = 5_000;

/** Lists fungible tokens that moved at a watched address, in the spelling of `listKnownTokens`, the last moved first. */
export const listWatchedTokens = (
  connection: Connection,
  { id }: Pick<AddressWatch, "id">,
  limit: number,
): Promise<readonly string[]> =>
  connection.listed(
    movedToken.row,
    `select ${movedToken.text} as token from (
       select moved as body, ${m.dateDetected} as date from watched_movements where ${m.addressWatchId} = $1
       order by ${m.dateDetected} desc, id desc limit $3
     ) moved
     where ${movedToken.isFungible}
     group by 1 order by max(date) desc, 1 limit $2`,
    [id, limit, MOVEMENTS_LOOKED_AT],
  );
