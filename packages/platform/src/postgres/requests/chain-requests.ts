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
import { withAuthorisation } from "../table/authorisation.ts";
import { selectionOf } from "../table/selection.ts";
import { mappedTable } from "../table/table.ts";

const shared = {
  orgId: organisationIdSchema,
  walletId: walletIdSchema,
  network: networkSchema,
  requester: requesterSchema,
  externalId: optional(z.string()),
  status: z.enum(CHAIN_REQUEST_STATUSES),
  reason: optional(z.string()),
  approvalId: optional(z.string()),
  policyDecision: optional(policyDecisionSchema),
  authorisation: optional(bytes),
  authorisationSignature: optional(bytes),
  replacesId: optional(z.union([transferIdSchema, transactionIdSchema])),
  isFeeBump: z.boolean(),
  isGathering: z.boolean(),
  replacementId: optional(transactionIdSchema),
  sequence: optional(bigNumber),
  exclusion: optional(bytes),
  deadTransactions: z.int(),
  unsignedTransaction: optional(bytes),
  details: optional(z.record(z.string(), z.unknown())),
  signedTransaction: optional(bytes),
  txHash: optional(z.string()),
  blockNumber: optional(bigNumber),
  blockHash: optional(z.string()),
  fee: optional(z.string()),
  dateRequested: date,
  datePolicyResolved: optional(date),
  dateBroadcasted: optional(date),
  dateConfirmed: optional(date),
  dateAborted: optional(date),
  dateSettled: optional(date),
};

const metadata = z.object({ asset: transferAssetSchema });

const columns = {
  id: z.union([transferIdSchema, transactionIdSchema]),
  kind: z.enum(["Transfer", "Transaction"]),
  requestBody: z.union([transferBodySchema, transactionRequestBodySchema]),
  metadata: optional(metadata),
  ...shared,
};

const rowSchema = z.discriminatedUnion("kind", [
  z.object({
    kind: z.literal("Transfer"),
    id: transferIdSchema,
    requestBody: transferBodySchema,
    metadata,
    ...shared,
  }),
  z.object({
    kind: z.literal("Transaction"),
    id: transactionIdSchema,
    requestBody: transactionRequestBodySchema,
    ...shared,
  }),
]);

export const chainRequests = mappedTable(
  "chain_requests",
  columns,
  {
    row: rowSchema.transform((row): ChainRequest => withAuthorisation(row)),
    derived: (request: ChainRequest) => ({
      metadata: request.kind === "Transfer" ? request.metadata : undefined,
      authorisation: request.authorisation?.payload,
      authorisationSignature: request.authorisation?.signature,
    }),
  },
  {
    changing: [
      "status",
      "reason",
      "dateAborted",
      "sequence",
      "unsignedTransaction",
      "signedTransaction",
      "txHash",
      "blockNumber",
      "blockHash",
      "fee",
      "dateBroadcasted",
      "dateConfirmed",
      "dateSettled",
      "replacementId",
      "details",
      "approvalId",
      "policyDecision",
      "authorisation",
      "authorisationSignature",
      "datePolicyResolved",
      "exclusion",
      "deadTransactions",
    ],
    pagedBy: "dateRequested",
  },
);

const isTransfer = (request: ChainRequest): request is Transfer => request.kind === "Transfer";
const isTransaction = (request: ChainRequest): request is Transaction => request.kind === "Transaction";

/**
 * Inserts an accepted request.
 * @returns false, and changes nothing, if the organisation has used the request's externalId before
 */
export const insertChainRequest = (connection: Connection, request: ChainRequest): Promise<boolean> =>
  chainRequests.insert(connection, request, "on conflict (org_id, kind, external_id) do nothing");

export const readChainRequest = (
  connection: Connection,
  id: ChainRequestId,
): Promise<ChainRequest | undefined> => chainRequests.one(connection, { id });

/**
 * Reads a request and locks its row until the transaction ends, and the row of the request that it would replace,
 * because changes of this request may change that one too: in the order in which commits lock rows (`commitRows`).
 */
export const lockChainRequest = async (
  connection: Connection,
  id: ChainRequestId,
): Promise<ChainRequest | undefined> => {
  const locked = await chainRequests.rows(
    connection,
    `where id = $1 or id = (select replaces_id from chain_requests where id = $1)
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

const statusSchema = z.object({ status: shared.status }).transform(({ status }) => status);

/** Reads the status of a request without its transaction, which can be long. */
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
export const readChainRequestByExternalId = (
  connection: Connection,
  orgId: OrganisationId,
  kind: ChainRequest["kind"],
  externalId: string,
): Promise<ChainRequest | undefined> => chainRequests.one(connection, { orgId, kind, externalId });

const listOf = (
  connection: Connection,
  kind: ChainRequest["kind"],
  walletId: WalletId,
  page: Page,
): Promise<Listed<ChainRequest>> =>
  chainRequests.page(connection, "wallet_id = $1 and kind = $2", [walletId, kind], page);

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

const followed = selectionOf({
  id: columns.id,
  orgId: shared.orgId,
  status: shared.status,
  txHash: z.string(),
  blockNumber: shared.blockNumber,
  blockHash: shared.blockHash,
});
/** The few columns of a request that following a chain needs; many requests may be followed. */
export type FollowedRequest = Readonly<z.output<typeof followed.row>>;

/**
 * Most settled requests above the final block that are listed, the newest ones; on a chain that never calls a block
 * final, all requests would qualify.
 */
const SETTLED_MOST = 5_000;

/**
 * Lists the requests of a network about which its chain may still bring news: signed and unsettled ones, and those that
 * the chain confirmed or failed and may still undo, because their block is above the final one or a few minutes old.
 * Requests that failed before they were signed were never on a chain. Unsettled requests come first, the oldest at the
 * head, so that an account's transactions are sent again in their order.
 *
 * @param finalHeight the highest block that nothing can undo any more
 */
export const listFollowed = (
  connection: Connection,
  network: Network,
  finalHeight: bigint,
  minutes: number,
): Promise<readonly FollowedRequest[]> =>
  connection.listed(
    followed.row,
    `(select ${followed.list} from chain_requests
      where network = $1 and status in ('Executing', 'Broadcasted') and tx_hash is not null
      order by date_requested, id)
     union all
     (select ${followed.list} from chain_requests
      where network = $1 and status in ('Confirmed', 'Failed') and signed_transaction is not null and tx_hash is not null
        and block_number > $2
      order by block_number desc limit $4)
     union all
     select ${followed.list} from chain_requests
     where network = $1 and status in ('Confirmed', 'Failed') and signed_transaction is not null and tx_hash is not null
       and (block_number is null or block_number <= $2) and date_settled > now() - make_interval(mins => $3)`,
    [network, finalHeight.toString(), minutes, SETTLED_MOST],
  );

const replacedSchema = z.object({ id: columns.id }).transform(({ id }) => id);

/**
 * The replacement chain up to a request: the request, the one whose place it took, and so on.
 *
 * @param most how many are read at most
 */
export const listReplaced = (
  connection: Connection,
  id: ChainRequestId,
  most: number,
): Promise<readonly ChainRequestId[]> =>
  connection.rows(
    replacedSchema,
    `with recursive line (id, replaces_id, depth) as (
       select id, replaces_id, 1 from chain_requests where id = $1
       union all
       select earlier.id, earlier.replaces_id, depth + 1
       from line join chain_requests earlier on earlier.id = line.replaces_id where depth < $2)
     select id from line order by depth`,
    [id, most],
  );
