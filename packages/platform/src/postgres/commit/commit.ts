import type { DomainEvent, Problem } from "@conclave/custody";
import { z } from "zod";
import { Outage } from "../../outage.ts";
import { codeOf } from "../connection/away.ts";
import type { Connection, Database } from "../database.ts";
import { DUE_COLUMNS, DUE_SUBJECT, type DueRequest, dueRows, ENQUEUE } from "../due-requests/due-request.ts";
import {
  announceEvents,
  EVENT_COLUMNS,
  eventRows,
  WRITE_EVENTS,
  WRITTEN_COUNTS,
  writtenCountsSchema,
} from "./event-rows.ts";

/**
 * The id of the transaction that last wrote a row (xmin): each change of the row changes it. Read it outside
 * transactions only.
 */
export const rowVersionSchema = z.string().brand<"RowVersion">();
export type RowVersion = z.output<typeof rowVersionSchema>;

/** Tables whose rows may be expected at a version, in locking order: a trigger on a request's row writes its wallet's row. */
const TABLES = ["chain_requests", "signatures", "wallets"] as const;

/** A row by its table and id. */
interface Row {
  readonly table: (typeof TABLES)[number];
  readonly id: string;
}

/** A row at the version at which it was read. */
export interface ExpectedRow extends Row {
  readonly version: RowVersion;
}

/** A change of one row. */
export type RowChange =
  /** @property text writes columns of that row alone, and ends with `where id = $1` */
  | { readonly kind: "update"; readonly row: Row; readonly text: string; readonly values: readonly unknown[] }
  /**
   * @property text inserts what it selects, and ends with `from allowed`, which has one row, or none if nothing may be
   * written
   */
  | { readonly kind: "insert"; readonly text: string; readonly values: readonly unknown[] };

/** The changes that are written together or not at all. */
export interface Writes {
  /** made in this order */
  readonly changes: readonly RowChange[];
  /** the events of these changes: each is recorded, published and delivered to webhooks */
  readonly events: readonly DomainEvent[];
  /** requests that become due with this commit */
  readonly due: readonly DueRequest[];
}

/** Writes, and the rows that the caller read before it decided on them. Every updated row is among the rows. */
export interface Commit extends Writes {
  readonly expect: readonly ExpectedRow[];
}

/** The outcome of a write. */
export type WriteOutcome =
  /** @property version the new version of each updated row */
  | { readonly kind: "committed"; readonly version: RowVersion }
  /** a row has changed since it was read: nothing was written */
  | { readonly kind: "conflict" }
  /** the answer was lost: the commit was written, or never will be; a caller checks before it tries again */
  | { readonly kind: "unknown"; readonly outage: Outage };

/** The outcome of a commit of changes. */
export type CommitOutcome<Changed> =
  | { readonly kind: "committed"; readonly changed: Changed }
  | Exclude<WriteOutcome, { readonly kind: "committed" }>
  /** an event does not fit the state that was read: nothing was written */
  | { readonly kind: "refused"; readonly problem: Problem };

/**
 * Writes rows, their events, webhook deliveries, bus messages and due requests in one statement and one round trip: all
 * of it or nothing (INV-6), and only if each expected row still has the version that was read. Rows are locked in a
 * fixed order, so that two commits cannot deadlock.
 *
 * @throws Outage if the database cannot be reached, and then nothing was written
 */
export const commitRows = async (database: Database, wanted: Commit): Promise<WriteOutcome> => {
  const { text, values } = statementOf(database, commitOrder(wanted), wanted);
  try {
    const [written] = await database.commit(committedSchema, text, values);
    if (written?.allowed !== true) return { kind: "conflict" };
    announce(database, wanted, written);
    return { kind: "committed", version: written.version };
  } catch (error) {
    if (error instanceof Outage && error.problem.code === "OutcomeUnknown")
      return { kind: "unknown", outage: error };
    // deadlock with a transaction that locks in another order; nothing of this commit was written
    if (codeOf(error instanceof Outage ? error.cause : error) === DEADLOCK) return { kind: "conflict" };
    throw error;
  }
};

/**
 * Writes the same within a transaction that has already locked the rows on which the caller decided (INV-6).
 *
 * @throws Error if a row to update does not exist
 */
export const writeRows = async (connection: Connection, wanted: Writes): Promise<void> => {
  const { text, values } = statementOf(connection, lockOrder(updatedBy(wanted)), wanted);
  const [written] = await connection.rows(committedSchema, text, values);
  if (written?.allowed !== true) throw new Error("a row is not there to be updated");
  announce(connection, wanted, written);
};

/** deadlock_detected: PostgreSQL aborts one of two transactions that wait for each other */
const DEADLOCK = "40P01";

const committedSchema = writtenCountsSchema.extend({ allowed: z.boolean(), version: rowVersionSchema });

/** Wakes the processes that act on committed rows. */
const announce = (
  connection: Pick<Connection, "announce">,
  { due }: Writes,
  counts: z.output<typeof writtenCountsSchema>,
): void => {
  announceEvents(connection, counts);
  if (due.length > 0) connection.announce(DUE_SUBJECT);
};

interface Statement {
  readonly text: string;
  readonly values: readonly unknown[];
}

/**
 * Builds the statement. Commits of the same shape have the same text; everything that varies is in the values.
 *
 * @param rows are locked in this order, before anything is written
 */
const statementOf = (
  connection: Pick<Connection, "freshId">,
  rows: readonly (Row | ExpectedRow)[],
  { changes, events, due }: Writes,
): Statement => {
  const values: unknown[] = [];
  const numbered = (text: string, more: readonly unknown[]): string => {
    const offset = values.length;
    values.push(...more);
    return text.replace(/\$(\d+)/g, (_, number) => `$${Number(number) + offset}`);
  };
  const parts = [
    ...rows.map((row, at) => numbered(held(row, at), "version" in row ? [row.id, row.version] : [row.id])),
    `allowed as materialized (select from held_${rows.length - 1})`,
    ...changes.map((change, at) => numbered(`changed_${at} as (${written(change, at)})`, change.values)),
    ...(due.length === 0
      ? []
      : [
          numbered(`due as (select due.* from allowed, jsonb_to_recordset($1::jsonb) as ${DUE_COLUMNS})`, [
            dueRows(due),
          ]),
          ENQUEUE,
        ]),
    numbered(`recorded as (select event.* from allowed, jsonb_to_recordset($1::jsonb) as ${EVENT_COLUMNS})`, [
      eventRows(connection, events),
    ]),
    WRITE_EVENTS,
  ];
  const version = "pg_current_xact_id()::xid::text as version";
  return {
    text: `with ${parts.join(",\n")}
      select exists (select from allowed) as allowed, ${version}, ${WRITTEN_COUNTS}`,
    values,
  };
};

/**
 * Locks a row at its version, after the previous rows. A statement that had to wait for the lock sees the row as it is
 * after the wait.
 */
const held = (row: Row | ExpectedRow, at: number): string =>
  `held_${at} as materialized (
     select from ${row.table} where id = $1 ${"version" in row ? "and xmin::text = $2" : ""}
     ${at === 0 ? "" : `and exists (select from held_${at - 1})`} for no key update)`;

/**
 * The SQL of one change. PostgreSQL makes it only if all expected rows have the versions that were read, and only after
 * the previous change, so that it may use a unique value that the previous change freed. Otherwise PostgreSQL makes the
 * changes of one statement in any order.
 */
const written = ({ kind, text }: RowChange, at: number): string => {
  const isAllowed = kind === "update" ? "and exists (select from allowed)" : "where true";
  const isNext = at === 0 ? "" : `and (select count(*) from changed_${at - 1}) >= 0`;
  return `${text} ${isAllowed} ${isNext} returning 1`;
};

const updatedBy = ({ changes }: Writes): readonly Row[] =>
  changes.flatMap((change) => (change.kind === "update" ? [change.row] : []));

const nameOf = ({ table, id }: Row): string => `${table} ${id}`;

/** @throws RangeError if an updated row is not expected: its version would not be compared */
const commitOrder = ({ expect, ...writes }: Commit): readonly ExpectedRow[] => {
  const expected = new Set(expect.map(nameOf));
  if (!updatedBy(writes).every((row) => expected.has(nameOf(row))))
    throw new RangeError("a commit updates a row that it does not expect");
  return lockOrder(expect);
};

/** @throws RangeError if a row is named twice, so that one of its versions is wrong, or if no row is named */
const lockOrder = <R extends Row>(rows: readonly R[]): readonly R[] => {
  if (new Set(rows.map(nameOf)).size !== rows.length) throw new RangeError("a commit names a row twice");
  if (rows.length === 0) throw new RangeError("a commit expects no row");
  return rows.toSorted((a, b) => TABLES.indexOf(a.table) - TABLES.indexOf(b.table) || (a.id < b.id ? -1 : 1));
};
