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

const spentSchema = z.object({ count: bigNumber, unknown: bigNumber, eur: bigNumber, usd: bigNumber });

/**
 * Reads what the requests of a wallet spent since a date. What was authorised counts whatever became of it: a status is the
 * orchestrators' word, an authorisation is not. What ended before it was authorised does not count, for nothing can follow.
 */
export const readSpent = async (
  connection: Connection,
  orgId: OrganisationId,
  subject: string,
  since: string,
): Promise<Spent> => {
  const [row] = await connection.rows(
    spentSchema,
    `select count(*)::text as count, count(*) filter (where s.usd is null or s.eur is null)::text as unknown,
       coalesce(sum(s.eur), 0)::text as eur, coalesce(sum(s.usd), 0)::text as usd
     from wallet_spendings s
       left join chain_requests c on c.id = s.request_id
       left join signatures g on g.id = s.request_id
     where s.org_id = $1 and s.subject = $2 and s.date > $3
       and (coalesce(c.authorisation, g.authorisation) is not null
         or coalesce(c.status, g.status, '') not in ('Failed', 'Rejected'))`,
    [orgId, subject, since],
  );
  if (row === undefined) throw new Error("an aggregate has one row");
  return { count: Number(row.count), unknown: Number(row.unknown), EUR: row.eur, USD: row.usd };
};

/** Stores what a request spends, for the judgement of later requests. */
export const recordSpending = async (connection: Connection, spending: RecordedSpending): Promise<void> => {
  const { value } = spending;
  await connection.execute(
    `insert into wallet_spendings (subject, request_id, org_id, eur, usd, date)
     select subject, $2, $3, $4, $5, $6 from unnest($1::text[]) subject`,
    [
      spending.subjects,
      spending.requestId,
      spending.orgId,
      value.known ? value.EUR.toString() : null,
      value.known ? value.USD.toString() : null,
      spending.date,
    ],
  );
};
