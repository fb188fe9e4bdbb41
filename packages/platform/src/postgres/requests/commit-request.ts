import {
  type ChainRequest,
  type ChainRequestEvent,
  type ChainRequestId,
  decideChainRequest,
} from "@conclave/custody";
import { z } from "zod";
import type { Database } from "../database.ts";
import { besideItsRow } from "./chain-request-change.ts";
import { changedValues, requestRowSchema, UPDATE_CHAIN_REQUEST } from "./chain-requests.ts";
import {
  type CommitOutcome,
  commitAtVersion,
  type RowVersion,
  rowVersionSchema,
} from "./commit-at-version.ts";

/** A request as it was read, and the version of its row. */
export interface VersionedRequest {
  readonly request: ChainRequest;
  readonly version: RowVersion;
}

const versionedSchema = z
  .looseObject({ version: rowVersionSchema })
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

/**
 * Applies an event to a request as it was read, and commits it with what tells of it (`commitAtVersion`).
 * @returns takes-locks for what only changeChainRequest does
 * @throws Outage if the database cannot be reached, and then nothing was written
 */
export const commitRequest = async (
  database: Database,
  { request, version }: VersionedRequest,
  event: ChainRequestEvent,
): Promise<CommitOutcome<VersionedRequest>> => {
  const decision = decideChainRequest(request, event);
  if (!decision.ok) return { kind: "refused", problem: decision.problem };
  const { request: changed, events } = decision.value;
  if (besideItsRow(changed, event) !== undefined) return { kind: "takes-locks" };
  const values = changedValues(changed);
  const written = await commitAtVersion(database, { update: UPDATE_CHAIN_REQUEST, values, version, events });
  if (written.kind !== "committed") return written;
  return { kind: "committed", changed: { request: changed, version: written.version } };
};
