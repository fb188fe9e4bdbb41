import { WEBHOOK_EVENT_AGE_MS } from "@conclave/custody";
import type { Connection } from "../database.ts";

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;

/** What a table forgets, by the age of its rows. docs/retention.md says of every table whether it forgets, and why not. */
export interface RetentionRule {
  readonly table: string;
  /** the time by which rows age; an index leads to the oldest */
  readonly column: string;
  /** a row older than this goes, in milliseconds */
  readonly keepMs: number;
  /** which rows of the table; all when absent */
  readonly only?: string;
}

/** Rows that expired are kept for a while: the clocks of gateways and database differ. */
export const RETENTION_RULES: readonly RetentionRule[] = [
  { table: "outbox", column: "date_published", keepMs: DAY_MS },
  { table: "events", column: "date", keepMs: WEBHOOK_EVENT_AGE_MS },
  { table: "webhook_events", column: "date_sent", keepMs: WEBHOOK_EVENT_AGE_MS },
  { table: "user_actions", column: "date_expires", keepMs: HOUR_MS },
  { table: "spent_challenges", column: "date_expires", keepMs: HOUR_MS },
  { table: "one_time_codes", column: "date_expires", keepMs: HOUR_MS },
  { table: "code_challenges", column: "date_expires", keepMs: HOUR_MS },
  { table: "record_marks", column: "date_marked", keepMs: DAY_MS },
  { table: "request_nonces", column: "date_expires", keepMs: MINUTE_MS },
  { table: "request_windows", column: "date_ends", keepMs: HOUR_MS },
  { table: "access_tokens", column: "date_expires", keepMs: HOUR_MS, only: "kind = 'Token'" },
];

/**
 * Deletes some of the oldest rows that a rule lets go, in one short statement. Rows that another process holds wait for the next.
 * @param limit rows at the most
 * @returns how many went; `limit` when there may be more
 */
export const pruneSlice = (
  connection: Connection,
  { table, column, keepMs, only = "true" }: RetentionRule,
  nowMs: number,
  limit: number,
): Promise<number> =>
  connection.execute(
    `delete from ${table} where ctid = any(array(
       select ctid from ${table} where ${column} <= $1 and ${only} order by ${column} limit $2 for update skip locked))`,
    [new Date(nowMs - keepMs).toISOString(), limit],
  );
