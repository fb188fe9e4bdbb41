import type { KeyId, OrganisationId, Spent, Value } from "@conclave/custody";
import { z } from "zod";
import { bigNumber } from "../columns.ts";
import type { Connection } from "../database.ts";

/** The spending of a request, stored for policies that limit amounts per period. */
export interface RecordedSpending {
  readonly orgId: OrganisationId;
  /** the wallets for which the request counts, or the key if no wallet uses it */
  readonly subjects: readonly string[];
  readonly requestId: string;
  /** the first request of its replacement chain, or the request itself: at most one request of the chain lands */
  readonly firstRequestId: string;
  readonly value: Value;
  /** ISO 8601 UTC */
  readonly date: string;
}

/**
 * Locks wallets, or a key, until the transaction ends, so that policies judge their requests one at a time and each
 * judgement counts the earlier requests. It does not lock the wallet's row: the waiting requests already refer to that
 * row, and would deadlock with an orchestrator that wants to lock it.
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

/** The subjects whose past spending is read, and the request for which it is read. */
export interface SpentQuestion {
  readonly orgId: OrganisationId;
  /** wallets, or a key that no wallet uses */
  readonly subjects: readonly string[];
  /** key of the wallets: requests that it signed before it had a wallet are recorded under the key */
  readonly keyId: KeyId;
  /** lengths of the periods, in minutes; all different */
  readonly timeframes: readonly number[];
  /** the end of every period, ISO 8601 UTC */
  readonly date: string;
  /** the judged request, which is not counted again, and the first of its replacement chain */
  readonly requestId: string;
  readonly firstRequestId: string;
  /** whether requests that wait for an approval count too, from the date of the request */
  readonly countsWaiting: boolean;
}

/** The amount that a wallet spent within a period. A wallet that spent nothing in a period has no entry for it. */
export interface SpentWithin {
  readonly subject: string;
  readonly minutes: number;
  readonly spent: Spent;
}

/**
 * Reads the spending of wallets within periods, all in one statement, because the wallets are locked meanwhile. An
 * authorised request counts whatever became of it, because orchestrators write its status, but not its authorisation. A
 * request that ended before it was authorised does not count, because it cannot spend any more. Of a replacement chain
 * only the highest value counts, because at most one of its requests lands.
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

/** Reads the rows of the longest period once. */
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

/** Stores the spending of a request, for the judgement of later requests. */
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

/** The wallets or keys under which a request was counted when it was accepted. */
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
 * Restates a request's spending as of its authorisation, however long it waited, with its value at that time; before
 * that it could spend nothing. Call it in the transaction that authorises it, once all of its old and new subjects are
 * locked.
 */
export const restateSpending = async (connection: Connection, spending: RecordedSpending): Promise<void> => {
  await connection.execute("delete from wallet_spendings where request_id = $1", [spending.requestId]);
  await recordSpending(connection, spending);
};
