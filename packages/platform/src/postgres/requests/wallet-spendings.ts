import type { OrganisationId, Spent, Value } from "@conclave/custody";
import { z } from "zod";
import { bigNumber } from "../columns.ts";
import type { Connection } from "../database.ts";

/** What a request spends, as it is stored for the policies that limit amounts over a time. */
export interface RecordedSpending {
  readonly orgId: OrganisationId;
  /** the wallets that the request counts for, or the key if no wallet uses it */
  readonly subjects: readonly string[];
  readonly requestId: string;
  /** the first request of the line that it continues, or itself: at most one of a line lands */
  readonly line: string;
  readonly value: Value;
  /** ISO 8601 UTC */
  readonly date: string;
}

/**
 * Locks wallets, or a key, until the transaction ends, so that policies judge their requests one at a time and each judgement
 * counts the one before. It does not lock the wallet's row: the waiting requests refer to that row already, and would deadlock
 * with an orchestrator that wants to lock it.
 */
export const lockSpending = async (connection: Connection, subjects: readonly string[]): Promise<void> => {
  for (const subject of [...subjects].sort()) {
    await connection.execute("select pg_advisory_xact_lock(hashtextextended($1, 0))", [subject]);
  }
};

const spentSchema = z.object({
  count: bigNumber,
  unknown: bigNumber,
  eur: bigNumber,
  usd: bigNumber,
  replaced_eur: bigNumber,
  replaced_usd: bigNumber,
});

/** Whose past is looked at, and for whom. */
export interface SpentQuestion {
  readonly orgId: OrganisationId;
  /** a wallet and its key, under which counts what the key signed before it had a wallet */
  readonly subjects: readonly string[];
  /** ISO 8601 UTC */
  readonly since: string;
  /** the request that is judged, which is not counted beside itself, and its line */
  readonly requestId: string;
  readonly line: string;
  /** whether what waits for an approval counts as well, from the date at which it was asked for */
  readonly countsWaiting: boolean;
}

/**
 * Reads what the requests of a wallet spent since a date. What was authorised counts whatever became of it: a status is the
 * orchestrators' word, an authorisation is not. What ended before it was authorised does not count, for nothing can follow.
 * Of each line of replacements the highest value counts, for one of them lands at the most.
 */
export const readSpent = async (
  connection: Connection,
  { orgId, subjects, since, requestId, line, countsWaiting }: SpentQuestion,
): Promise<Spent> => {
  const [row] = await connection.rows(
    spentSchema,
    `select coalesce(sum(requests), 0)::text as count, coalesce(sum(unknown), 0)::text as unknown,
       coalesce(sum(eur) filter (where line <> $4), 0)::text as eur,
       coalesce(sum(usd) filter (where line <> $4), 0)::text as usd,
       coalesce(max(eur) filter (where line = $4), 0)::text as replaced_eur,
       coalesce(max(usd) filter (where line = $4), 0)::text as replaced_usd
     from (
       select coalesce(s.line, s.request_id) as line, max(s.eur) as eur, max(s.usd) as usd, count(*) as requests,
         count(*) filter (where s.usd is null or s.eur is null) as unknown
       from wallet_spendings s
         left join chain_requests c on c.id = s.request_id
         left join signatures g on g.id = s.request_id
       where s.org_id = $1 and s.subject = any($2) and s.date > $3 and s.request_id <> $5
         and (coalesce(c.authorisation, g.authorisation) is not null
           or $6 and coalesce(c.status, g.status, '') not in ('Failed', 'Rejected'))
       group by coalesce(s.line, s.request_id)
     ) lines`,
    [orgId, subjects, since, line, requestId, countsWaiting],
  );
  if (row === undefined) throw new Error("an aggregate has one row");
  return {
    count: Number(row.count),
    unknown: Number(row.unknown),
    EUR: row.eur,
    USD: row.usd,
    replaced: { EUR: row.replaced_eur, USD: row.replaced_usd },
  };
};

/** Stores what a request spends, for the judgement of later requests. */
export const recordSpending = async (connection: Connection, spending: RecordedSpending): Promise<void> => {
  const { value } = spending;
  await connection.execute(
    `insert into wallet_spendings (subject, request_id, org_id, eur, usd, date, line)
     select subject, $2, $3, $4, $5, $6, $7 from unnest($1::text[]) subject`,
    [
      spending.subjects,
      spending.requestId,
      spending.orgId,
      value.known ? value.EUR.toString() : null,
      value.known ? value.USD.toString() : null,
      spending.date,
      spending.line,
    ],
  );
};

const subjectSchema = z.object({ subject: z.string() });

/** Under which wallets or keys a request was counted when it was asked for. */
export const readSpendingSubjects = async (
  connection: Connection,
  requestId: string,
): Promise<readonly string[]> => {
  const counted = await connection.rows(
    subjectSchema,
    "select subject from wallet_spendings where request_id = $1",
    [requestId],
  );
  return counted.map(({ subject }) => subject);
};

/**
 * Has a request count from the moment at which it is authorised, however long it waited for that, with what it is worth then: before
 * it could spend nothing. Call it in the transaction that authorises it, once all of its subjects, of now and of before, are locked.
 */
export const restateSpending = async (connection: Connection, spending: RecordedSpending): Promise<void> => {
  await connection.execute("delete from wallet_spendings where request_id = $1", [spending.requestId]);
  await recordSpending(connection, spending);
};
