import type { OrganisationId, Spent, Value } from "@conclave/custody";
import { z } from "zod";
import { bigNumber } from "../columns.ts";
import type { Connection } from "../database.ts";

export interface RecordedSpending {
  readonly orgId: OrganisationId;
  /** the wallets that it counts for, or the key that no wallet uses */
  readonly subjects: readonly string[];
  readonly requestId: string;
  readonly value: Value;
  /** ISO 8601 UTC */
  readonly date: string;
}

/**
 * Lets one request of a wallet, or of a key, be judged at a time, until the transaction ends: two never look back at the same
 * past. Not by a lock of the wallet's row: requests that wait for each other there already refer to it, and would wait in a
 * circle with an orchestrator that wants the row for itself.
 */
export const lockSpending = async (connection: Connection, subjects: readonly string[]): Promise<void> => {
  for (const subject of [...subjects].sort()) {
    await connection.execute("select pg_advisory_xact_lock(hashtextextended($1, 0))", [subject]);
  }
};

const spentSchema = z.object({ count: bigNumber, unknown: bigNumber, eur: bigNumber, usd: bigNumber });

/** What the requests of a wallet came to since a date, those that failed or were rejected left out. */
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
       and coalesce(c.status, g.status, '') not in ('Failed', 'Rejected')`,
    [orgId, subject, since],
  );
  if (row === undefined) throw new Error("an aggregate has one row");
  return { count: Number(row.count), unknown: Number(row.unknown), EUR: row.eur, USD: row.usd };
};

/** Puts on record what a request is worth, for those that come after it. */
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
