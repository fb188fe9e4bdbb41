import {
  type ChainRequest,
  type ChainRequestEvent,
  type ChainRequestId,
  type DomainEvent,
  decideChainRequest,
  ok,
  type Result,
} from "@conclave/custody";
import { z } from "zod";
import {
  type Commit,
  type CommitOutcome,
  commitRows,
  type RowChange,
  type RowVersion,
  rowVersionSchema,
} from "../commit/commit.ts";
import type { Database } from "../database.ts";
import { type BesideItsRow, besideItsRow } from "./chain-request-change.ts";
import { chainRequests } from "./chain-requests.ts";
import { deadTransactionKept } from "./dead-transactions.ts";

/** A request as it was read, and the version of its row. */
export interface VersionedRequest {
  readonly request: ChainRequest;
  readonly version: RowVersion;
}

const versionedSchema = z
  .looseObject({ version: rowVersionSchema })
  .transform((row): VersionedRequest => ({ request: chainRequests.row.parse(row), version: row.version }));

/** Reads requests to be changed at these versions. It takes no transaction: a version of one that is not committed may never be one. */
export const readVersionedRequests = (
  database: Database,
  ids: readonly ChainRequestId[],
): Promise<readonly VersionedRequest[]> =>
  database.rows(
    versionedSchema,
    `select ${chainRequests.list}, xmin::text as version from chain_requests where id = any($1)`,
    [ids],
  );

/** Reads a request to be changed at this version. */
export const readVersionedRequest = async (
  database: Database,
  id: ChainRequestId,
): Promise<VersionedRequest | undefined> => (await readVersionedRequests(database, [id]))[0];

/** The events of a request, in this order. */
export interface RequestChange {
  readonly seen: VersionedRequest;
  readonly events: readonly ChainRequestEvent[];
}

/**
 * Applies events to requests as they were read, and commits all that they change with what tells of it (`commitRows`). A transaction that
 * died stays on record. If a replacement ends before it was signed, the request that it was to replace is the current one again.
 * @param beside the other rows that this was decided on, and the requests that are due with it
 * @returns the requests from now on, in the order of the changes
 * @throws Outage if the database cannot be reached, and then nothing was written
 */
export const commitRequests = async (
  database: Database,
  changes: readonly RequestChange[],
  beside: Partial<Pick<Commit, "expect" | "due">> = {},
): Promise<CommitOutcome<readonly VersionedRequest[]>> => {
  const changed: ChainRequest[] = [];
  const written: Written[] = [];
  for (const change of changes) {
    const decided = await decideAll(database, change);
    if (!decided.ok) return { kind: "refused", problem: decided.problem };
    changed.push(decided.value.request);
    written.push(decided.value);
  }
  const outcome = await commitRows(database, {
    expect: beside.expect ?? [],
    changes: written.flatMap((one) => one.changes),
    events: written.flatMap((one) => one.events),
    due: beside.due ?? [],
  });
  if (outcome.kind !== "committed") return outcome;
  const { version } = outcome;
  return { kind: "committed", changed: changed.map((request) => ({ request, version })) };
};

/** The same for one request, to which one event happened. */
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

/** The rows that the events of a request write. */
interface Written {
  /** after them */
  readonly request: ChainRequest;
  readonly changes: readonly RowChange[];
  readonly events: readonly DomainEvent[];
}

const decideAll = async (database: Database, { seen, events }: RequestChange): Promise<Result<Written>> => {
  let { request } = seen;
  const before: RowChange[] = [];
  const after: RowChange[] = [];
  const recorded: DomainEvent[] = [];
  for (const event of events) {
    const decision = decideChainRequest(request, event);
    if (!decision.ok) return decision;
    const beside = besideItsRow(decision.value.request, event);
    if (beside?.kind === "dead-transaction") before.push(deadTransactionKept(request));
    request = decision.value.request;
    recorded.push(...decision.value.events);
    if (beside?.kind === "reinstatement") {
      const reinstated = await reinstatement(database, beside);
      // it may have the place of this one, once this one has given it back
      after.push(...reinstated.changes);
      recorded.push(...reinstated.events);
    }
  }
  const row = { table: "chain_requests", id: request.id, version: seen.version } as const;
  const values = chainRequests.updateValues(request);
  const update = { kind: "update", row, text: chainRequests.updateText, values } as const;
  return ok({ request, changes: [...before, update, ...after], events: recorded });
};

/** The request that a failed replacement was to replace loses its mark, unless another one replaces it. */
const reinstatement = async (
  database: Database,
  { replacesId, from }: Extract<BesideItsRow, { readonly kind: "reinstatement" }>,
): Promise<Pick<Written, "changes" | "events">> => {
  const replaced = await readVersionedRequest(database, replacesId);
  if (replaced?.request.replacementId !== from) return NOTHING;
  const decided = await decideAll(database, { seen: replaced, events: [{ kind: "Reinstated", from }] });
  return decided.ok ? decided.value : NOTHING;
};

const NOTHING = { changes: [], events: [] } as const;
