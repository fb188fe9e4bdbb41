import {
  CHAIN_REQUEST_STATUSES,
  type ChainRequest,
  type ChainRequestId,
  type ChainRequestStatus,
  type Network,
  networkSchema,
  type OrganisationId,
  organisationIdSchema,
  policyDecisionSchema,
  requesterSchema,
  type SignedAuthorisation,
  type Transaction,
  type TransactionId,
  type Transfer,
  type TransferId,
  transactionIdSchema,
  transactionRequestBodySchema,
  transferAssetSchema,
  transferBodySchema,
  transferIdSchema,
  type WalletId,
  walletIdSchema,
} from "@conclave/custody";
import { z } from "zod";
import { bigNumber, bytes, date, optional } from "../columns.ts";
import { listedAs } from "../connection/unreadable-row.ts";
import type { Connection, Listed } from "../database.ts";
import type { Page } from "../page.ts";

const requestIdSchema = z.union([transferIdSchema, transactionIdSchema]);

const common = {
  org_id: organisationIdSchema,
  wallet_id: walletIdSchema,
  network: networkSchema,
  requester: requesterSchema,
  external_id: optional(z.string()),
  status: z.enum(CHAIN_REQUEST_STATUSES),
  reason: optional(z.string()),
  approval_id: optional(z.string()),
  policy_decision: optional(policyDecisionSchema),
  authorisation: optional(bytes),
  authorisation_signature: optional(bytes),
  replaces_id: optional(requestIdSchema),
  is_fee_bump: z.boolean(),
  is_gathering: z.boolean(),
  replacement_id: optional(transactionIdSchema),
  sequence: optional(bigNumber),
  exclusion: optional(bytes),
  dead_transactions: z.int(),
  unsigned_transaction: optional(bytes),
  details: optional(z.record(z.string(), z.unknown())),
  signed_transaction: optional(bytes),
  tx_hash: optional(z.string()),
  block_number: optional(bigNumber),
  block_hash: optional(z.string()),
  fee: optional(z.string()),
  date_requested: date,
  date_policy_resolved: optional(date),
  date_broadcasted: optional(date),
  date_confirmed: optional(date),
  date_aborted: optional(date),
  date_settled: optional(date),
};
const commonColumns = z.object(common);

const columns = z.discriminatedUnion("kind", [
  z.object({
    kind: z.literal("Transfer"),
    id: transferIdSchema,
    request_body: transferBodySchema,
    metadata: z.object({ asset: transferAssetSchema }),
    ...common,
  }),
  z.object({
    kind: z.literal("Transaction"),
    id: transactionIdSchema,
    request_body: transactionRequestBodySchema,
    ...common,
  }),
]);

const factsOf = (row: z.output<typeof commonColumns>) => ({
  orgId: row.org_id,
  walletId: row.wallet_id,
  network: row.network,
  requester: row.requester,
  externalId: row.external_id,
  status: row.status,
  reason: row.reason,
  approvalId: row.approval_id,
  policyDecision: row.policy_decision,
  authorisation: authorisationOf(row.authorisation, row.authorisation_signature),
  replacesId: row.replaces_id,
  isFeeBump: row.is_fee_bump,
  isGathering: row.is_gathering,
  replacementId: row.replacement_id,
  sequence: row.sequence,
  exclusion: row.exclusion,
  deadTransactions: row.dead_transactions,
  unsignedTransaction: row.unsigned_transaction,
  details: row.details,
  signedTransaction: row.signed_transaction,
  txHash: row.tx_hash,
  blockNumber: row.block_number,
  blockHash: row.block_hash,
  fee: row.fee,
  dateRequested: row.date_requested,
  datePolicyResolved: row.date_policy_resolved,
  dateBroadcasted: row.date_broadcasted,
  dateConfirmed: row.date_confirmed,
  dateAborted: row.date_aborted,
  dateSettled: row.date_settled,
});

const authorisationOf = (
  payload: Uint8Array | undefined,
  signature: Uint8Array | undefined,
): SignedAuthorisation | undefined =>
  payload === undefined || signature === undefined ? undefined : { payload, signature };

/** A request as its row holds it. */
export const requestRowSchema = columns.transform(
  (row): ChainRequest =>
    row.kind === "Transfer"
      ? {
          kind: row.kind,
          id: row.id,
          requestBody: row.request_body,
          metadata: row.metadata,
          ...factsOf(row),
        }
      : { kind: row.kind, id: row.id, requestBody: row.request_body, ...factsOf(row) },
);

const isTransfer = (request: ChainRequest): request is Transfer => request.kind === "Transfer";
const isTransaction = (request: ChainRequest): request is Transaction => request.kind === "Transaction";

const metadataOf = (request: ChainRequest): string | null =>
  request.kind === "Transfer" ? JSON.stringify(request.metadata) : null;

const json = (value: unknown): string | null => (value === undefined ? null : JSON.stringify(value));

/**
 * Inserts an accepted request.
 * @returns false, and changes nothing, if the organisation has used the request's externalId before
 */
export const insertChainRequest = async (connection: Connection, request: ChainRequest): Promise<boolean> => {
  const inserted = await connection.execute(
    `insert into chain_requests (id, kind, org_id, wallet_id, network, requester, request_body, metadata, external_id,
       status, reason, approval_id, policy_decision, authorisation, authorisation_signature, replaces_id,
       date_requested, date_policy_resolved, is_fee_bump, is_gathering)
     values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18, $19, $20)
     on conflict (org_id, kind, external_id) do nothing`,
    [
      request.id,
      request.kind,
      request.orgId,
      request.walletId,
      request.network,
      JSON.stringify(request.requester),
      JSON.stringify(request.requestBody),
      metadataOf(request),
      request.externalId,
      request.status,
      request.reason,
      request.approvalId,
      json(request.policyDecision),
      request.authorisation?.payload,
      request.authorisation?.signature,
      request.replacesId,
      request.dateRequested,
      request.datePolicyResolved,
      request.isFeeBump,
      request.isGathering,
    ],
  );
  return inserted === 1;
};

/**
 * Writes the columns of a request that can change, from `changedValues`: $1 to $23. What it was made with is not among them: a later
 * version may have stored more there than this one reads.
 */
export const UPDATE_CHAIN_REQUEST = `update chain_requests set status = $2, reason = $3, date_aborted = $4, sequence = $5,
    unsigned_transaction = $6, signed_transaction = $7, tx_hash = $8, block_number = $9, block_hash = $10, fee = $11,
    date_broadcasted = $12, date_confirmed = $13, date_settled = $14, replacement_id = $15, details = $16,
    approval_id = $17, policy_decision = $18, authorisation = $19, authorisation_signature = $20,
    date_policy_resolved = $21, exclusion = $22, dead_transactions = $23
  where id = $1`;

export const changedValues = (request: ChainRequest): readonly unknown[] => [
  request.id,
  request.status,
  request.reason,
  request.dateAborted,
  request.sequence?.toString(),
  request.unsignedTransaction,
  request.signedTransaction,
  request.txHash,
  request.blockNumber?.toString(),
  request.blockHash,
  request.fee,
  request.dateBroadcasted,
  request.dateConfirmed,
  request.dateSettled,
  request.replacementId,
  json(request.details),
  request.approvalId,
  json(request.policyDecision),
  request.authorisation?.payload,
  request.authorisation?.signature,
  request.datePolicyResolved,
  request.exclusion,
  request.deadTransactions,
];

/** Writes the columns of a request that can change. */
export const updateChainRequest = async (connection: Connection, request: ChainRequest): Promise<void> => {
  const updated = await connection.execute(UPDATE_CHAIN_REQUEST, changedValues(request));
  if (updated !== 1) throw new Error(`${request.id} is not there to be updated`);
};

export const readChainRequest = async (
  connection: Connection,
  id: ChainRequestId,
): Promise<ChainRequest | undefined> => {
  const [found] = await connection.rows(requestRowSchema, "select * from chain_requests where id = $1", [id]);
  return found;
};

/**
 * Reads a request and locks its row until the transaction ends, and the row of the request that it is to replace, which a change of this
 * one may change too: in the order in which commits lock rows (`commitRows`).
 */
export const lockChainRequest = async (
  connection: Connection,
  id: ChainRequestId,
): Promise<ChainRequest | undefined> => {
  const locked = await connection.rows(
    requestRowSchema,
    `select * from chain_requests where id = $1 or id = (select replaces_id from chain_requests where id = $1)
     order by id collate "C" for update`,
    [id],
  );
  return locked.find((request) => request.id === id);
};

export const readTransfer = async (connection: Connection, id: TransferId): Promise<Transfer | undefined> => {
  const found = await readChainRequest(connection, id);
  return found !== undefined && isTransfer(found) ? found : undefined;
};

export const readTransaction = async (
  connection: Connection,
  id: TransactionId,
): Promise<Transaction | undefined> => {
  const found = await readChainRequest(connection, id);
  return found !== undefined && isTransaction(found) ? found : undefined;
};

const statusSchema = z.object({ status: z.enum(CHAIN_REQUEST_STATUSES) }).transform(({ status }) => status);

/** Reads how far a request is, without its transaction: that can be long. */
export const readChainRequestStatus = async (
  connection: Pick<Connection, "rows">,
  id: ChainRequest["id"],
): Promise<ChainRequestStatus | undefined> => {
  const [found] = await connection.rows(statusSchema, "select status from chain_requests where id = $1", [
    id,
  ]);
  return found;
};

/** Reads the request of a kind that an organisation made with this externalId. */
export const readChainRequestByExternalId = async (
  connection: Connection,
  orgId: OrganisationId,
  kind: ChainRequest["kind"],
  externalId: string,
): Promise<ChainRequest | undefined> => {
  const [found] = await connection.rows(
    requestRowSchema,
    "select * from chain_requests where org_id = $1 and kind = $2 and external_id = $3",
    [orgId, kind, externalId],
  );
  return found;
};

const listOf = (
  connection: Connection,
  kind: ChainRequest["kind"],
  walletId: WalletId,
  page: Page,
): Promise<Listed<ChainRequest>> =>
  connection.listed(
    requestRowSchema,
    `select * from chain_requests
     where wallet_id = $1 and kind = $2 and ($3::timestamptz is null or (date_requested, id) < ($3, $4))
     order by date_requested desc, id desc limit $5`,
    [walletId, kind, page.after?.date ?? null, page.after?.id ?? null, page.limit],
  );

/** Lists the transfers of a wallet, newest first. */
export const listTransfers = async (
  connection: Connection,
  walletId: WalletId,
  page: Page,
): Promise<Listed<Transfer>> => {
  const found = await listOf(connection, "Transfer", walletId, page);
  return listedAs(found.filter(isTransfer), found.leftOut);
};

/** Lists the transactions of a wallet, newest first. */
export const listTransactions = async (
  connection: Connection,
  walletId: WalletId,
  page: Page,
): Promise<Listed<Transaction>> => {
  const found = await listOf(connection, "Transaction", walletId, page);
  return listedAs(found.filter(isTransaction), found.leftOut);
};

const followedSchema = z
  .object({
    id: requestIdSchema,
    org_id: organisationIdSchema,
    status: z.enum(CHAIN_REQUEST_STATUSES),
    tx_hash: z.string(),
    block_number: optional(bigNumber),
    block_hash: optional(z.string()),
  })
  .transform((row) => ({
    id: row.id,
    orgId: row.org_id,
    status: row.status,
    txHash: row.tx_hash,
    blockNumber: row.block_number,
    blockHash: row.block_hash,
  }));
/** What following a chain needs to know of a request: little, for there may be many. */
export type FollowedRequest = z.output<typeof followedSchema>;

/** Of those that lie above the final block, the newest: a chain that never calls a block final is not to bring all that ever was. */
const SETTLED_MOST = 5_000;

/**
 * Lists the requests of a network of which its chain may still tell something: those that are signed and not settled, and those that
 * the chain confirmed or failed and may still undo, in blocks above its final one or in the last minutes. Requests that failed before
 * they were signed were never on a chain. Those that are not settled stand first, the oldest at the head: sent again in this order, the
 * transactions of an account come in theirs.
 * @param finalHeight the highest block that nothing undoes any more
 */
export const listFollowed = (
  connection: Connection,
  network: Network,
  finalHeight: bigint,
  minutes: number,
): Promise<readonly FollowedRequest[]> =>
  connection.listed(
    followedSchema,
    `(select id, org_id, status, tx_hash, block_number, block_hash from chain_requests
      where network = $1 and status in ('Executing', 'Broadcasted') and tx_hash is not null
      order by date_requested, id)
     union all
     (select id, org_id, status, tx_hash, block_number, block_hash from chain_requests
      where network = $1 and status in ('Confirmed', 'Failed') and signed_transaction is not null and tx_hash is not null
        and block_number > $2
      order by block_number desc limit $4)
     union all
     select id, org_id, status, tx_hash, block_number, block_hash from chain_requests
     where network = $1 and status in ('Confirmed', 'Failed') and signed_transaction is not null and tx_hash is not null
       and (block_number is null or block_number <= $2) and date_settled > now() - make_interval(mins => $3)`,
    [network, finalHeight.toString(), minutes, SETTLED_MOST],
  );

const lineSchema = z.object({ id: requestIdSchema }).transform(({ id }) => id);

/**
 * The line of a request: itself, the request whose place it took, that one's, and so on.
 * @param most how many are read at the most
 */
export const listLine = (
  connection: Connection,
  id: ChainRequestId,
  most: number,
): Promise<readonly ChainRequestId[]> =>
  connection.rows(
    lineSchema,
    `with recursive line (id, replaces_id, depth) as (
       select id, replaces_id, 1 from chain_requests where id = $1
       union all
       select earlier.id, earlier.replaces_id, depth + 1
       from line join chain_requests earlier on earlier.id = line.replaces_id where depth < $2)
     select id from line order by depth`,
    [id, most],
  );
