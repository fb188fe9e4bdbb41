import type { DomainEvent, Problem } from "@conclave/custody";
import { z } from "zod";
import { Outage } from "../../outage.ts";
import { codeOf } from "../connection/away.ts";
import type { Database } from "../database.ts";
import { DUE_COLUMNS, DUE_SUBJECT, type DueRequest, dueRows, ENQUEUE } from "../due-requests/due-request.ts";
import {
  announceEvents,
  EVENT_COLUMNS,
  eventRows,
  WRITE_EVENTS,
  WRITTEN_COUNTS,
  writtenCountsSchema,
} from "./event-rows.ts";

/** The transaction that wrote a row last (xmin): each change of the row changes it. Read it outside transactions alone. */
export const rowVersionSchema = z.string().brand<"RowVersion">();
export type RowVersion = z.output<typeof rowVersionSchema>;

/** Tables whose rows are expected at a version, in the order in which they are locked: triggers of a request write its wallet. */
const TABLES = ["chain_requests", "signatures", "wallets"] as const;

/** A row as it was read. */
export interface ExpectedRow {
  readonly table: (typeof TABLES)[number];
  readonly id: string;
  readonly version: RowVersion;
}

/** A change that is written to a row. */
export type RowChange =
  /**
   * @property row is expected at its version, too
   * @property text writes columns of that row alone, and ends with `where id = $1`
   */
  | {
      readonly kind: "update";
      readonly row: ExpectedRow;
      readonly text: string;
      readonly values: readonly unknown[];
    }
  /** @property text inserts what it selects, and ends with `from allowed`, which is one row, or none when nothing may be written */
  | { readonly kind: "insert"; readonly text: string; readonly values: readonly unknown[] };

/** The changes that are written together, or not at all. */
export interface Commit {
  /** the rows that it was decided on, beside those that it updates */
  readonly expect: readonly ExpectedRow[];
  /** in this order */
  readonly changes: readonly RowChange[];
  /** tell of it: each is recorded, published and delivered to webhooks */
  readonly events: readonly DomainEvent[];
  /** asked for from now on */
  readonly due: readonly DueRequest[];
}

/** The outcome of a write. */
export type WriteOutcome =
  /** @property version that of each row that was updated, from now on */
  | { readonly kind: "committed"; readonly version: RowVersion }
  /** a row is not any more what was read: nothing was written */
  | { readonly kind: "conflict" }
  /** the answer was lost: it was written, or it will never be; a caller that tries again looks first */
  | { readonly kind: "unknown"; readonly outage: Outage };

/** The outcome of changes that were to be committed. */
export type CommitOutcome<Changed> =
  | { readonly kind: "committed"; readonly changed: Changed }
  | Exclude<WriteOutcome, { readonly kind: "committed" }>
  /** an event does not fit what was read: nothing was written */
  | { readonly kind: "refused"; readonly problem: Problem };

/**
 * Writes rows, their events, what webhooks are to hear, the messages to the bus and what is due in one statement, in one round trip: all
 * of it or nothing (INV-6), and only if each row that this was decided on is still of the version that was read. The rows are locked
 * in one order, so that no two commits wait for each other.
 * @throws Outage if the database cannot be reached, and then nothing was written
 */
export const commitRows = async (database: Database, wanted: Commit): Promise<WriteOutcome> => {
  const { text, values } = statementOf(wanted);
  try {
    const [written] = await database.commit(committedSchema, text, values);
    if (written?.allowed !== true) return { kind: "conflict" };
    announceEvents(database, written);
    if (wanted.due.length > 0) database.announce(DUE_SUBJECT);
    return { kind: "committed", version: written.version };
  } catch (error) {
    if (error instanceof Outage && error.problem.code === "OutcomeUnknown")
      return { kind: "unknown", outage: error };
    // somebody who locks in another order was faster, and nothing of this was written
    if (codeOf(error instanceof Outage ? error.cause : error) === DEADLOCK) return { kind: "conflict" };
    throw error;
  }
};

/** deadlock_detected: PostgreSQL ends one of two transactions that wait for each other */
const DEADLOCK = "40P01";

const committedSchema = writtenCountsSchema.extend({ allowed: z.boolean(), version: rowVersionSchema });

interface Statement {
  readonly text: string;
  readonly values: readonly unknown[];
}

/** One text for all commits of a shape: what varies is in the values. */
const statementOf = ({ expect, changes, events, due }: Commit): Statement => {
  const values: unknown[] = [];
  const numbered = (text: string, more: readonly unknown[]): string => {
    const offset = values.length;
    values.push(...more);
    return text.replace(/\$(\d+)/g, (_, number) => `$${Number(number) + offset}`);
  };
  const updated = changes.flatMap((change) => (change.kind === "update" ? [change.row] : []));
  const rows = inOrder([...expect, ...updated]);
  const parts = [
    ...rows.map(({ table, id, version }, at) => numbered(held(table, at), [id, version])),
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
      eventRows(events),
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

/** Locks a row of that version, once those before it are locked. A statement that waited for the lock sees the row as it is then. */
const held = (table: ExpectedRow["table"], at: number): string =>
  `held_${at} as materialized (
     select from ${table} where id = $1 and xmin::text = $2
     ${at === 0 ? "" : `and exists (select from held_${at - 1})`} for no key update)`;

/**
 * Makes a change, if all is as expected, and after the change before it: what one leaves of a unique place the next may take. By itself
 * PostgreSQL makes the changes of one statement in any order.
 */
const written = ({ kind, text }: RowChange, at: number): string => {
  const isAllowed = kind === "update" ? "and exists (select from allowed)" : "where true";
  const isNext = at === 0 ? "" : `and (select count(*) from changed_${at - 1}) >= 0`;
  return `${text} ${isAllowed} ${isNext} returning 1`;
};

/** @throws RangeError where a row is named twice, or none is: of two versions one is wrong, and without any nothing is compared */
const inOrder = (rows: readonly ExpectedRow[]): readonly ExpectedRow[] => {
  const names = new Set(rows.map(({ table, id }) => `${table} ${id}`));
  if (names.size !== rows.length) throw new RangeError("a commit names a row twice");
  if (names.size === 0) throw new RangeError("a commit expects no row");
  return rows.toSorted((a, b) => TABLES.indexOf(a.table) - TABLES.indexOf(b.table) || (a.id < b.id ? -1 : 1));
};
