import { WEBHOOK_EVENT_AGE_MS } from "@conclave/custody";
import type { Connection } from "../database.ts";
import { events } from "../events.ts";
import { outbox } from "../outbox.ts";
import { accessTokens } from "../people/access-tokens.ts";
import { codeChallenges, oneTimeCodes } from "../people/one-time-codes.ts";
import { requestNonces } from "../people/request-nonces.ts";
import { requestWindows } from "../people/request-windows.ts";
import { spentChallenges } from "../people/spent-challenges.ts";
import { userActions } from "../people/user-actions.ts";
import { recordMarks } from "../record-marks.ts";
import { attempts } from "../webhooks/webhook-deliveries.ts";

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;

/** A rule that deletes old rows of a table. docs/retention.md says for every table whether rows are deleted, and why not. */
export interface RetentionRule {
  readonly table: string;
  /** the date that determines a row's age; an index on it finds the oldest */
  readonly column: string;
  /** age in milliseconds at which a row is deleted */
  readonly keepMs: number;
  /** condition for the rows; all rows when absent */
  readonly only?: string;
}

const forget = <Name extends string>(
  { name, columns }: { readonly name: string; readonly columns: { readonly [P in Name]: string } },
  property: Name,
  keepMs: number,
  only?: string,
): RetentionRule => ({
  table: name,
  column: columns[property],
  keepMs,
  ...(only === undefined ? {} : { only }),
});

/** Expired rows are kept for a while, because the clocks of gateways and database differ. */
export const RETENTION_RULES: readonly RetentionRule[] = [
  forget(outbox, "datePublished", DAY_MS),
  forget(events, "date", WEBHOOK_EVENT_AGE_MS),
  forget(attempts, "dateSent", WEBHOOK_EVENT_AGE_MS),
  forget(userActions, "dateExpires", HOUR_MS),
  forget(spentChallenges, "dateExpires", HOUR_MS),
  forget(oneTimeCodes, "dateExpires", HOUR_MS),
  forget(codeChallenges, "dateExpires", HOUR_MS),
  forget(recordMarks, "dateMarked", DAY_MS),
  forget(requestNonces, "dateExpires", MINUTE_MS),
  forget(requestWindows, "dateEnds", HOUR_MS),
  forget(accessTokens, "dateExpires", HOUR_MS, "kind = 'Token'"),
];

/**
 * Deletes some of the oldest rows that a rule allows, in one short statement. Rows that another process holds wait for
 * the next.
 *
 * @param limit rows at most
 * @returns how many were deleted; `limit` when there may be more
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
