import {
  networkSchema,
  type OrganisationId,
  organisationIdSchema,
  policyDecisionSchema,
  requesterSchema,
  TRANSFER_STATUSES,
  type Transfer,
  type TransferId,
  transferBodySchema,
  transferIdSchema,
  type WalletId,
  walletIdSchema,
} from "@conclave/custody";
import { z } from "zod";
import { bigNumber, bytes, date, optional, safeNumber } from "./columns.ts";
import type { Connection } from "./database.ts";
import type { Page } from "./page.ts";

const assetSchema = z.object({
  symbol: z.string().optional(),
  decimals: z.int().optional(),
  verified: z.boolean().optional(),
});

const columns = z.object({
  id: transferIdSchema,
  org_id: organisationIdSchema,
  wallet_id: walletIdSchema,
  network: networkSchema,
  requester: requesterSchema,
  request_body: transferBodySchema,
  metadata: z.object({ asset: assetSchema }),
  external_id: optional(z.string()),
  status: z.enum(TRANSFER_STATUSES),
  reason: optional(z.string()),
  policy_decision: policyDecisionSchema,
  authorisation: bytes,
  authorisation_signature: bytes,
  nonce: optional(safeNumber),
  unsigned_transaction: optional(bytes),
  signed_transaction: optional(bytes),
  tx_hash: optional(z.string()),
  block_number: optional(bigNumber),
  block_hash: optional(z.string()),
  fee: optional(z.string()),
  date_requested: date,
  date_policy_resolved: optional(date),
  date_broadcasted: optional(date),
  date_confirmed: optional(date),
});

const rowSchema = columns.transform(
  (row): Transfer => ({
    id: row.id,
    orgId: row.org_id,
    walletId: row.wallet_id,
    network: row.network,
    requester: row.requester,
    requestBody: row.request_body,
    metadata: row.metadata,
    externalId: row.external_id,
    status: row.status,
    reason: row.reason,
    policyDecision: row.policy_decision,
    authorisation: { payload: row.authorisation, signature: row.authorisation_signature },
    nonce: row.nonce,
    unsignedTransaction: row.unsigned_transaction,
    signedTransaction: row.signed_transaction,
    txHash: row.tx_hash,
    blockNumber: row.block_number,
    blockHash: row.block_hash,
    fee: row.fee,
    dateRequested: row.date_requested,
    datePolicyResolved: row.date_policy_resolved,
    dateBroadcasted: row.date_broadcasted,
    dateConfirmed: row.date_confirmed,
  }),
);

/**
 * Adds a transfer as it is when it has been accepted.
 * @returns false, and changes nothing, when the organisation has used the transfer's externalId before
 */
export const insertTransfer = async (connection: Connection, transfer: Transfer): Promise<boolean> => {
  const inserted = await connection.execute(
    `insert into transfers (id, org_id, wallet_id, network, requester, request_body, metadata, external_id, status,
       reason, policy_decision, authorisation, authorisation_signature, date_requested, date_policy_resolved)
     values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15)
     on conflict (org_id, external_id) do nothing`,
    [
      transfer.id,
      transfer.orgId,
      transfer.walletId,
      transfer.network,
      JSON.stringify(transfer.requester),
      JSON.stringify(transfer.requestBody),
      JSON.stringify(transfer.metadata),
      transfer.externalId,
      transfer.status,
      transfer.reason,
      JSON.stringify(transfer.policyDecision),
      transfer.authorisation.payload,
      transfer.authorisation.signature,
      transfer.dateRequested,
      transfer.datePolicyResolved,
    ],
  );
  return inserted === 1;
};

/** Writes everything of a transfer that may change in its life. */
export const updateTransfer = async (connection: Connection, transfer: Transfer): Promise<void> => {
  const updated = await connection.execute(
    `update transfers set status = $2, reason = $3, metadata = $4, nonce = $5, unsigned_transaction = $6,
       signed_transaction = $7, tx_hash = $8, block_number = $9, block_hash = $10, fee = $11,
       date_broadcasted = $12, date_confirmed = $13
     where id = $1`,
    [
      transfer.id,
      transfer.status,
      transfer.reason,
      JSON.stringify(transfer.metadata),
      transfer.nonce,
      transfer.unsignedTransaction,
      transfer.signedTransaction,
      transfer.txHash,
      transfer.blockNumber?.toString(),
      transfer.blockHash,
      transfer.fee,
      transfer.dateBroadcasted,
      transfer.dateConfirmed,
    ],
  );
  if (updated !== 1) throw new Error(`${transfer.id} is not there to be updated`);
};

export const readTransfer = async (connection: Connection, id: TransferId): Promise<Transfer | undefined> => {
  const [found] = await connection.rows(rowSchema, "select * from transfers where id = $1", [id]);
  return found;
};

/** Reads a transfer and holds its row until the transaction ends. */
export const lockTransfer = async (connection: Connection, id: TransferId): Promise<Transfer | undefined> => {
  const [found] = await connection.rows(rowSchema, "select * from transfers where id = $1 for update", [id]);
  return found;
};

/** The transfer that an organisation requested under an externalId of its own. */
export const readTransferByExternalId = async (
  connection: Connection,
  orgId: OrganisationId,
  externalId: string,
): Promise<Transfer | undefined> => {
  const [found] = await connection.rows(
    rowSchema,
    "select * from transfers where org_id = $1 and external_id = $2",
    [orgId, externalId],
  );
  return found;
};

/** Transfers of a wallet, newest first. */
export const listTransfers = (
  connection: Connection,
  walletId: WalletId,
  page: Page,
): Promise<readonly Transfer[]> =>
  connection.rows(
    rowSchema,
    `select * from transfers
     where wallet_id = $1 and ($2::timestamptz is null or (date_requested, id) < ($2, $3))
     order by date_requested desc, id desc limit $4`,
    [walletId, page.after?.date ?? null, page.after?.id ?? null, page.limit],
  );

/** Transfers that have not come to their end, oldest first. */
export const listTransfersUnderWay = (connection: Connection, limit: number): Promise<readonly Transfer[]> =>
  connection.rows(
    rowSchema,
    `select * from transfers where status in ('Pending', 'Executing', 'Broadcasted')
     order by date_requested limit $1`,
    [limit],
  );

/**
 * The highest account nonce that a transfer of this wallet holds; read it under `lockWallet`, so that two transfers
 * never take the same one (INV-4).
 */
export const highestNonce = async (
  connection: Connection,
  walletId: WalletId,
): Promise<number | undefined> => {
  const [row] = await connection.rows(
    z.object({ highest: optional(safeNumber) }),
    "select max(nonce) as highest from transfers where wallet_id = $1 and status <> 'Failed'",
    [walletId],
  );
  return row?.highest;
};

/**
 * Whether another transfer of the wallet holds an account nonce and is not broadcast yet. Read it under `lockWallet`:
 * while it is so no further nonce is given out, so that none is ever missing in between.
 */
export const otherHoldsNonce = async (
  connection: Connection,
  walletId: WalletId,
  id: TransferId,
): Promise<boolean> => {
  const found = await connection.rows(
    z.object({ id: z.string() }),
    `select id from transfers
     where wallet_id = $1 and status = 'Executing' and nonce is not null and id <> $2 limit 1`,
    [walletId, id],
  );
  return found.length > 0;
};

/**
 * Broadcasted transfers after an id, in the order of ids, that nobody else holds; their rows are held until the
 * transaction ends.
 */
export const takeBroadcasted = (
  connection: Connection,
  afterId: string,
  limit: number,
): Promise<readonly Transfer[]> =>
  connection.rows(
    rowSchema,
    `select * from transfers where status = 'Broadcasted' and id > $1
     order by id limit $2 for update skip locked`,
    [afterId, limit],
  );

/** The same of transfers that were confirmed in the last minutes: a reorganisation may still undo them. */
export const takeRecentlyConfirmed = (
  connection: Connection,
  minutes: number,
  afterId: string,
  limit: number,
): Promise<readonly Transfer[]> =>
  connection.rows(
    rowSchema,
    `select * from transfers
     where status = 'Confirmed' and date_confirmed > now() - make_interval(mins => $1) and id > $2
     order by id limit $3 for update skip locked`,
    [minutes, afterId, limit],
  );
