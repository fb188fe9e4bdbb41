import type { DomainEvent, Problem } from "@conclave/custody";
import { z } from "zod";
import { Outage } from "../../outage.ts";
import type { Database } from "../database.ts";
import {
  announceTold,
  EVENT_COLUMNS,
  TELL,
  TOLD_COUNTS,
  toldCountsSchema,
  toldEvents,
} from "../told-events.ts";

/** The transaction that wrote a row last (xmin): whoever changes the row changes it. Read it outside transactions alone. */
export const rowVersionSchema = z.string().brand<"RowVersion">();
export type RowVersion = z.output<typeof rowVersionSchema>;

/** What became of a row that was to be written. */
export type WriteOutcome =
  /** @property version the row's version from now on */
  | { readonly kind: "committed"; readonly version: RowVersion }
  /** the row is not any more what was read: nothing was written */
  | { readonly kind: "conflict" }
  /** the answer was lost: it was written, or it will never be; whoever tries again looks first */
  | { readonly kind: "unknown"; readonly outage: Outage };

/** What became of a change that was to be committed. */
export type CommitOutcome<Changed> =
  | { readonly kind: "committed"; readonly changed: Changed }
  | Exclude<WriteOutcome, { readonly kind: "committed" }>
  /** the event does not fit what was read: nothing was written */
  | { readonly kind: "refused"; readonly problem: Problem }
  /** the event changes other rows too, which takes a transaction that locks them: nothing was written */
  | { readonly kind: "takes-locks" };

const committedSchema = toldCountsSchema.extend({ changed: z.int(), version: rowVersionSchema });

/** A row that changes, and the events that tell of it. */
export interface RowChange {
  /** writes the columns of the row `where id = $1`, and ends with that */
  readonly update: string;
  /** its parameters, all of them */
  readonly values: readonly unknown[];
  /** of the row as it was read */
  readonly version: RowVersion;
  readonly events: readonly DomainEvent[];
}

/**
 * Commits the new state of a row, its events, what webhooks are to hear and the messages to the bus in one statement, if the row is
 * still of the version that was read: all of it or nothing (INV-6), in one round trip.
 * @throws Outage if the database cannot be reached, and then nothing was written
 */
export const commitAtVersion = async (
  database: Database,
  { update, values, version, events }: RowChange,
): Promise<WriteOutcome> => {
  const [versionAt, eventsAt] = [values.length + 1, values.length + 2];
  const text = `with
    changed as (${update} and xmin::text = $${versionAt} returning id),
    told as (select event.* from changed, jsonb_to_recordset($${eventsAt}::jsonb) as ${EVENT_COLUMNS}),
    ${TELL}
    select (select count(*)::int from changed) as changed, pg_current_xact_id()::xid::text as version, ${TOLD_COUNTS}`;
  try {
    const [written] = await database.commit(committedSchema, text, [...values, version, toldEvents(events)]);
    if (written?.changed !== 1) return { kind: "conflict" };
    announceTold(database, written);
    return { kind: "committed", version: written.version };
  } catch (error) {
    if (error instanceof Outage && error.problem.code === "OutcomeUnknown")
      return { kind: "unknown", outage: error };
    throw error;
  }
};
