import {
  type ChainRequest,
  type ChainRequestEvent,
  type ChainRequestId,
  decideChainRequest,
  type Problem,
} from "@conclave/custody";
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
import { besideItsRow } from "./chain-request-change.ts";
import { changedValues, requestRowSchema, UPDATE_CHAIN_REQUEST } from "./chain-requests.ts";

/** The transaction that wrote a row last (xmin): whoever changes the row changes it. */
const versionSchema = z.string().brand<"RowVersion">();

/** A request as it was read, and the version of its row. */
export interface VersionedRequest {
  readonly request: ChainRequest;
  readonly version: z.output<typeof versionSchema>;
}

const versionedSchema = z
  .looseObject({ version: versionSchema })
  .transform((row): VersionedRequest => ({ request: requestRowSchema.parse(row), version: row.version }));

/** Reads a request to be changed at this version. It takes no transaction: a version of one that is not committed may never be one. */
export const readVersionedRequest = async (
  database: Database,
  id: ChainRequestId,
): Promise<VersionedRequest | undefined> => {
  const [found] = await database.rows(
    versionedSchema,
    "select *, xmin::text as version from chain_requests where id = $1",
    [id],
  );
  return found;
};

/** What became of a change that was to be committed. */
export type CommitOutcome =
  | { readonly kind: "committed"; readonly request: ChainRequest }
  /** the row is not any more what was read: nothing was written */
  | { readonly kind: "conflict" }
  /** the event does not fit the request as it was read: nothing was written */
  | { readonly kind: "refused"; readonly problem: Problem }
  /** the answer was lost: it was written, or it will never be; whoever tries again looks first */
  | { readonly kind: "unknown"; readonly outage: Outage }
  /** the event changes other rows too, which takes a transaction that locks them (changeChainRequest): nothing was written */
  | { readonly kind: "takes-locks" };

const COMMIT = `with
  changed as (${UPDATE_CHAIN_REQUEST} and xmin::text = $24 returning id),
  told as (select event.* from changed, jsonb_to_recordset($25::jsonb) as ${EVENT_COLUMNS}),
  ${TELL}
  select (select count(*)::int from changed) as changed, ${TOLD_COUNTS}`;
const committedSchema = toldCountsSchema.extend({ changed: z.int() });

/**
 * Applies an event to a request as it was read, and commits the new state, its events, what webhooks are to hear and the messages to
 * the bus in one statement, if the row is still of that version: all of it or nothing (INV-6), in one round trip.
 * @throws Outage if the database cannot be reached, and then nothing was written
 */
export const commitRequest = async (
  database: Database,
  { request, version }: VersionedRequest,
  event: ChainRequestEvent,
): Promise<CommitOutcome> => {
  const decision = decideChainRequest(request, event);
  if (!decision.ok) return { kind: "refused", problem: decision.problem };
  const { request: changed, events } = decision.value;
  if (besideItsRow(changed, event) !== undefined) return { kind: "takes-locks" };
  const values = [...changedValues(changed), version, toldEvents(events)];
  try {
    const [written] = await database.commit(committedSchema, COMMIT, values);
    if (written?.changed !== 1) return { kind: "conflict" };
    announceTold(database, written);
    return { kind: "committed", request: changed };
  } catch (error) {
    if (error instanceof Outage && error.problem.code === "OutcomeUnknown")
      return { kind: "unknown", outage: error };
    throw error;
  }
};
