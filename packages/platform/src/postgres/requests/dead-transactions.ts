import type { ChainRequest, ChainRequestId, SignedAuthorisation, WalletId } from "@conclave/custody";
import { z } from "zod";
import { authorisationOf, bytes, optional } from "../columns.ts";
import type { RowChange } from "../commit/commit.ts";
import type { Connection } from "../database.ts";
import { selectionOf } from "../table/selection.ts";
import { chainRequests } from "./chain-requests.ts";

/** The NOTIFY channel that wakes the gateway to state, as the authority, that transactions are dead. */
export const DEATH_STATEMENTS_CHANNEL = "death_statements";

const { columns: r } = chainRequests;

/** Stores a request's current transaction as dead, before another one takes its place in the row. */
export const deadTransactionKept = (request: ChainRequest): RowChange => ({
  kind: "insert",
  text: `insert into dead_transactions (request_id, number, unsigned_transaction, signed_transaction, tx_hash, sequence,
      exclusion, date_died)
    select $1, $2, $3, $4, $5, $6, $7, now() from allowed`,
  values: [
    request.id,
    request.deadTransactions + 1,
    request.unsignedTransaction,
    request.signedTransaction,
    request.txHash,
    request.sequence?.toString(),
    request.exclusion,
  ],
});

const dead = selectionOf({ unsignedTransaction: bytes, signedTransaction: bytes });

const deadSchema = dead.row.transform(
  ({ unsignedTransaction: unsigned, signedTransaction: signed }): DeadTransaction => ({ unsigned, signed }),
);

/** A signed transaction of a request that was found dead. */
export interface DeadTransaction {
  readonly unsigned: Uint8Array;
  readonly signed: Uint8Array;
}

/** The dead transactions of a request, in their order. */
export const listDeadTransactions = (
  connection: Pick<Connection, "rows">,
  id: ChainRequestId,
): Promise<readonly DeadTransaction[]> =>
  connection.rows(
    deadSchema,
    `select ${dead.list} from dead_transactions where request_id = $1 order by number`,
    [id],
  );

/** Whether another request of a wallet has this transaction on record, by its hash or its unsigned bytes, dead or alive. */
export const isOthersTransaction = async (
  connection: Pick<Connection, "rows">,
  walletId: WalletId,
  id: ChainRequestId,
  { unsigned, txHash }: { readonly unsigned: Uint8Array; readonly txHash: string },
): Promise<boolean> => {
  const found = await connection.rows(
    z.object({ id: z.string() }),
    `select id from chain_requests
     where ${r.walletId} = $1 and id <> $2
       and (${r.txHash} = $3 or ${r.unsignedTransaction} = $4 and status not in ('Failed', 'Rejected'))
     union all
     select request_id from dead_transactions dead join chain_requests request on request.id = dead.request_id
     where request.${r.walletId} = $1 and request.id <> $2 and dead.tx_hash = $3
     limit 1`,
    [walletId, id, txHash, unsigned],
  );
  return found.length > 0;
};

/** The authority's statement on a request's dead transactions. */
export interface DeathStatement {
  /** undefined until a gateway has answered */
  readonly statement: SignedAuthorisation | undefined;
}

/** Asks the authority about the first `transactions` transactions of a request. A repeated question changes nothing. */
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

/** Selects the authority's statement that all signed transactions of a chain_requests row are dead. */
export const STATED_DEAD = `select from death_statements s where s.request_id = chain_requests.id
  and s.transactions = chain_requests.${r.deadTransactions} and s.statement is not null`;

const stated = selectionOf({ statement: optional(bytes), statementSignature: optional(bytes) });

const statedSchema = stated.row.transform(
  ({ statement, statementSignature }): DeathStatement => ({
    statement: authorisationOf(statement, statementSignature),
  }),
);

/**
 * Reads the authority's statement about the first `transactions` transactions of a request; undefined if nobody has
 * asked.
 */
export const readDeathStatement = async (
  connection: Pick<Connection, "rows">,
  id: ChainRequestId,
  transactions: number,
): Promise<DeathStatement | undefined> => {
  const [found] = await connection.rows(
    statedSchema,
    `select ${stated.list} from death_statements where request_id = $1 and transactions = $2`,
    [id, transactions],
  );
  return found;
};

const question = selectionOf({ requestId: z.string(), transactions: z.int() });

/** A question to the authority about a request's dead transactions. */
export type DeathQuestion = Readonly<z.output<typeof question.row>>;

/**
 * Lists unanswered questions, in pages, so that questions that nobody can answer now do not block others.
 *
 * @param after the last question of the previous page; undefined for the first page
 */
export const listDeathQuestions = (
  connection: Pick<Connection, "listed">,
  after: DeathQuestion | undefined,
  limit: number,
): Promise<readonly DeathQuestion[]> =>
  connection.listed(
    question.row,
    `select ${question.list} from death_statements
     where statement is null and (request_id, transactions) > ($1, $2)
     order by request_id, transactions limit $3`,
    [after?.requestId ?? "", after?.transactions ?? 0, limit],
  );

/** Stores the answer to a question, once. */
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

/** Deletes an unanswered question that turned out to be wrong; it may be asked again. */
export const dropDeathQuestion = async (
  connection: Connection,
  { requestId, transactions }: DeathQuestion,
): Promise<void> => {
  await connection.execute(
    "delete from death_statements where request_id = $1 and transactions = $2 and statement is null",
    [requestId, transactions],
  );
};
