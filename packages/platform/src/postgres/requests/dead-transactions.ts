import type { ChainRequest, ChainRequestId, SignedAuthorisation } from "@conclave/custody";
import { z } from "zod";
import { bytes, optional } from "../columns.ts";
import type { RowChange } from "../commit/commit.ts";
import type { Connection } from "../database.ts";

/** The NOTIFY channel that wakes who speaks for the authority on transactions that are dead. */
export const DEATH_STATEMENTS_CHANNEL = "death_statements";

/** A transaction of a request that was signed and found dead. */
export interface DeadTransaction {
  readonly unsigned: Uint8Array;
  readonly signed: Uint8Array;
}

const KEEP_DEAD = `insert into dead_transactions (request_id, number, unsigned_transaction, signed_transaction, tx_hash, sequence,
    exclusion, date_died)
  select $1, $2, $3, $4, $5, $6, $7, now()`;

const deadValues = (request: ChainRequest): readonly unknown[] => [
  request.id,
  request.deadTransactions + 1,
  request.unsignedTransaction,
  request.signedTransaction,
  request.txHash,
  request.sequence?.toString(),
  request.exclusion,
];

/** Keeps the transaction that a request has on record, before a further one takes its place in the row. */
export const keepDeadTransaction = async (connection: Connection, request: ChainRequest): Promise<void> => {
  await connection.execute(KEEP_DEAD, deadValues(request));
};

/** The same as part of a commit. */
export const deadTransactionKept = (request: ChainRequest): RowChange => ({
  kind: "insert",
  text: `${KEEP_DEAD} from allowed`,
  values: deadValues(request),
});

const transactionSchema = z
  .object({ unsigned_transaction: bytes, signed_transaction: bytes })
  .transform(
    (row): DeadTransaction => ({ unsigned: row.unsigned_transaction, signed: row.signed_transaction }),
  );

/** The transactions of a request that were found dead, the first one first. */
export const listDeadTransactions = (
  connection: Pick<Connection, "rows">,
  id: ChainRequestId,
): Promise<readonly DeadTransaction[]> =>
  connection.rows(
    transactionSchema,
    "select unsigned_transaction, signed_transaction from dead_transactions where request_id = $1 order by number",
    [id],
  );

/** What was asked of the authority about a request. */
export interface DeathStatement {
  /** undefined as long as no gateway has looked */
  readonly statement: SignedAuthorisation | undefined;
}

/** Asks the authority about the first so many transactions of a request. Asked before, nothing changes. */
export const askForDeathStatement = async (
  connection: Connection,
  id: ChainRequestId,
  transactions: number,
): Promise<void> => {
  await connection.execute(
    `with asked as (
       insert into death_statements (request_id, transactions, date_asked) values ($1, $2, now())
       on conflict do nothing returning 1)
     select pg_notify($3, '') from asked`,
    [id, transactions, DEATH_STATEMENTS_CHANNEL],
  );
};

const statementSchema = z
  .object({ statement: optional(bytes), statement_signature: optional(bytes) })
  .transform(
    ({ statement: payload, statement_signature: signature }): DeathStatement => ({
      statement: payload === undefined || signature === undefined ? undefined : { payload, signature },
    }),
  );

/** What the authority says of the first so many transactions of a request; undefined when nobody has asked. */
export const readDeathStatement = async (
  connection: Pick<Connection, "rows">,
  id: ChainRequestId,
  transactions: number,
): Promise<DeathStatement | undefined> => {
  const [found] = await connection.rows(
    statementSchema,
    "select statement, statement_signature from death_statements where request_id = $1 and transactions = $2",
    [id, transactions],
  );
  return found;
};

/** A question to the authority. */
export interface DeathQuestion {
  readonly requestId: string;
  readonly transactions: number;
}

const questionSchema = z
  .object({ request_id: z.string(), transactions: z.int() })
  .transform(({ request_id, transactions }): DeathQuestion => ({ requestId: request_id, transactions }));

/**
 * Questions without an answer, in pages, so that some which nobody can answer now keep no others waiting.
 * @param after the last one of the page before; undefined for the first page
 */
export const listDeathQuestions = (
  connection: Pick<Connection, "listed">,
  after: DeathQuestion | undefined,
  limit: number,
): Promise<readonly DeathQuestion[]> =>
  connection.listed(
    questionSchema,
    `select request_id, transactions from death_statements
     where statement is null and (request_id, transactions) > ($1, $2)
     order by request_id, transactions limit $3`,
    [after?.requestId ?? "", after?.transactions ?? 0, limit],
  );

/** Answers a question, once. */
export const answerDeathQuestion = async (
  connection: Connection,
  { requestId, transactions }: DeathQuestion,
  { payload, signature }: SignedAuthorisation,
): Promise<void> => {
  await connection.execute(
    `update death_statements set statement = $3, statement_signature = $4
     where request_id = $1 and transactions = $2 and statement is null`,
    [requestId, transactions, payload, signature],
  );
};

/** Drops a question that turned out to be wrong; it may be asked again. */
export const dropDeathQuestion = async (
  connection: Connection,
  { requestId, transactions }: DeathQuestion,
): Promise<void> => {
  await connection.execute(
    "delete from death_statements where request_id = $1 and transactions = $2 and statement is null",
    [requestId, transactions],
  );
};
