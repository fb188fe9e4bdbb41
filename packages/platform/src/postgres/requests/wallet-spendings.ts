import type { KeyId, OrganisationId, Spent, Value } from "@conclave/custody";
import { z } from "zod";
import { bigNumber } from "../columns.ts";
import type { Connection } from "../database.ts";

/** The spending of a request, as it is stored for the policies that limit amounts over a time. */
export interface RecordedSpending {
  readonly orgId: OrganisationId;
  /** the wallets that the request counts for, or the key if no wallet uses it */
  readonly subjects: readonly string[];
  readonly requestId: string;
  /** the first request of the replacement chain that it continues, or itself: at most one of them lands */
  readonly firstRequestId: string;
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
  subject: z.string(),
  minutes: z.number(),
  count: bigNumber,
  unknown: bigNumber,
  eur: bigNumber,
  usd: bigNumber,
  replaced_eur: bigNumber,
  replaced_usd: bigNumber,
});

/** The wallets or the key whose past is read, and the request that it is read for. */
export interface SpentQuestion {
  readonly orgId: OrganisationId;
  /** wallets, or a key that no wallet uses */
  readonly subjects: readonly string[];
  /** of the wallets: under it counts what it signed before it had a wallet */
  readonly keyId: KeyId;
  /** how far is looked back, in minutes; no two are the same */
  readonly timeframes: readonly number[];
  /** the end of every timeframe, ISO 8601 UTC */
  readonly date: string;
  /** the request that is judged, which is not counted beside itself, and the first of its replacement chain */
  readonly requestId: string;
  readonly firstRequestId: string;
  /** whether what waits for an approval counts as well, from the date at which it was asked for */
  readonly countsWaiting: boolean;
}

/** The amount that a wallet spent within a timeframe; of a wallet and a timeframe in which it spent nothing there is none. */
export interface SpentWithin {
  readonly subject: string;
  readonly minutes: number;
  readonly spent: Spent;
}

/**
 * Reads what the requests of wallets spent within timeframes, all in one statement: the wallets' past is locked meanwhile. An
 * authorised request counts whatever became of it: orchestrators write its status, and not its authorisation. A request that ended before it
 * was authorised does not count, for nothing can follow. Of each replacement chain the highest value counts, for one of them lands at the
 * most.
 */
export const readSpent = async (
  connection: Connection,
  { orgId, subjects, keyId, timeframes, date, requestId, firstRequestId, countsWaiting }: SpentQuestion,
): Promise<readonly SpentWithin[]> => {
  if (timeframes.length === 0) return [];
  const found = await connection.rows(spentSchema, SPENT, [
    orgId,
    subjects,
    keyId,
    timeframes,
    date,
    requestId,
    firstRequestId,
    countsWaiting,
  ]);
  return found.map((row) => ({
    subject: row.subject,
    minutes: row.minutes,
    spent: {
      count: Number(row.count),
      unknown: Number(row.unknown),
      EUR: row.eur,
      USD: row.usd,
      replaced: { EUR: row.replaced_eur, USD: row.replaced_usd },
    },
  }));
};

/** The rows of the longest timeframe are read once. */
const SPENT = `with asked as (
    select subject, minutes, $5::timestamptz - make_interval(mins => minutes) as since
    from unnest($2::text[]) subject, unnest($4::integer[]) minutes
  ), past as materialized (
    select s.subject, coalesce(s.line, s.request_id) as line, s.eur, s.usd, s.date
    from wallet_spendings s
      left join chain_requests c on c.id = s.request_id
      left join signatures g on g.id = s.request_id
    where s.org_id = $1 and s.subject = any($2::text[] || $3::text) and s.date > (select min(since) from asked)
      and s.request_id <> $6
      and (coalesce(c.authorisation, g.authorisation) is not null
        or $8 and coalesce(c.status, g.status, '') not in ('Failed', 'Rejected'))
  ), lines as (
    select a.subject, a.minutes, p.line, max(p.eur) as eur, max(p.usd) as usd, count(*) as requests,
      count(*) filter (where p.usd is null or p.eur is null) as unknown
    from asked a join past p on p.subject in (a.subject, $3) and p.date > a.since
    group by a.subject, a.minutes, p.line
  )
  select subject, minutes, sum(requests)::text as count, sum(unknown)::text as unknown,
    coalesce(sum(eur) filter (where line <> $7), 0)::text as eur,
    coalesce(sum(usd) filter (where line <> $7), 0)::text as usd,
    coalesce(max(eur) filter (where line = $7), 0)::text as replaced_eur,
    coalesce(max(usd) filter (where line = $7), 0)::text as replaced_usd
  from lines group by subject, minutes`;

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
      spending.firstRequestId,
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
