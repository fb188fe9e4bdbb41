import type { ChainRequest, ChainRequestEvent, ChainRequestId } from "@conclave/custody";
import { z } from "zod";
import {
  type Commit,
  type CommitOutcome,
  commitRows,
  type RowVersion,
  rowVersionSchema,
} from "../commit/commit.ts";
import type { Database } from "../database.ts";
import { type ChainRequestWrites, chainRequestWrites } from "./chain-request-writes.ts";
import { chainRequests } from "./chain-requests.ts";

/** A request, and the version of its row when it was read. */
export interface VersionedRequest {
  readonly request: ChainRequest;
  readonly version: RowVersion;
}

const versionedSchema = z
  .looseObject({ version: rowVersionSchema })
  .transform((row): VersionedRequest => ({ request: chainRequests.row.parse(row), version: row.version }));

/**
 * Reads requests with their versions, to change them. Call it outside transactions: an uncommitted version may be
 * rolled back.
 */
export const readVersionedRequests = (
  database: Database,
  ids: readonly ChainRequestId[],
): Promise<readonly VersionedRequest[]> =>
  database.rows(
    versionedSchema,
    `select ${chainRequests.list}, xmin::text as version from chain_requests where id = any($1)`,
    [ids],
  );

/** Reads a request with its version, to change it. */
export const readVersionedRequest = async (
  database: Database,
  id: ChainRequestId,
): Promise<VersionedRequest | undefined> => (await readVersionedRequests(database, [id]))[0];

/** The events that change a request, in order. */
export interface RequestChange {
  readonly seen: VersionedRequest;
  readonly events: readonly ChainRequestEvent[];
}

/**
 * Applies events to requests as they were read, and commits all changes with their events and messages (`commitRows`).
 *
 * @param beside further rows on which the decision was based, and requests that become due with it
 * @returns the changed requests, in the order of the changes
 * @throws Outage if the database cannot be reached, and then nothing was written
 */
export const commitRequests = async (
  database: Database,
  changes: readonly RequestChange[],
  beside: Partial<Pick<Commit, "expect" | "due">> = {},
): Promise<CommitOutcome<readonly VersionedRequest[]>> => {
  const writes: ChainRequestWrites<VersionedRequest>[] = [];
  for (const { seen, events } of changes) {
    const decided = await chainRequestWrites((id) => readVersionedRequest(database, id), seen, events);
    if (!decided.ok) return { kind: "refused", problem: decided.problem };
    writes.push(decided.value);
  }
  const seen = writes.flatMap((one) => one.seen);
  const outcome = await commitRows(database, {
    expect: [
      ...(beside.expect ?? []),
      ...seen.map(({ request: { id }, version }) => ({ table: "chain_requests", id, version }) as const),
    ],
    changes: writes.flatMap((one) => one.changes),
    events: writes.flatMap((one) => one.events),
    due: beside.due ?? [],
  });
  if (outcome.kind !== "committed") return outcome;
  const { version } = outcome;
  return { kind: "committed", changed: writes.map(({ request }) => ({ request, version })) };
};

/** As `commitRequests`, for one request and one event. */
export const commitRequest = async (
  database: Database,
  seen: VersionedRequest,
  event: ChainRequestEvent,
): Promise<CommitOutcome<VersionedRequest>> => {
  const outcome = await commitRequests(database, [{ seen, events: [event] }]);
  if (outcome.kind !== "committed") return outcome;
  const [changed] = outcome.changed;
  return changed === undefined ? { kind: "conflict" } : { kind: "committed", changed };
};
