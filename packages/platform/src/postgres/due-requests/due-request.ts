import {
  type ChainRequest,
  type KeyExportId,
  type KeyId,
  type OrganisationId,
  organisationIdSchema,
  type SignatureId,
  type WalletId,
} from "@conclave/custody";
import { z } from "zod";
import { date, optional, safeNumber } from "../columns.ts";
import type { Connection } from "../database.ts";
import type { RowOf } from "../table/selection.ts";
import { plainTable } from "../table/table.ts";

/** Announced after a commit that may have made a request due, so that listeners do not wait for their next round. */
export const DUE_SUBJECT = "conclave.due.requests";

/** Lanes of requests that belong to no network. A network's lane has the network's name. */
export const LANES = { key: "key", export: "export", signature: "signature" } as const;

const asked = {
  id: z.string(),
  kind: z.enum(["transfer", "transaction", "key", "export", "signature"]),
  orgId: organisationIdSchema,
  /** requests of different lanes have separate slots, so that one network does not block another */
  lane: z.string(),
  /** requests of one line are carried out one after another; undefined for a request that waits for no other */
  line: optional(z.string()),
};

export const dueRequests = plainTable("due_requests", {
  ...asked,
  isHead: z.boolean(),
  /** whether its record says that it waits behind others of its line */
  isTold: z.boolean(),
  dueAt: date,
  parkedAt: optional(date),
  /** token of the claim; each later write checks it, to prove that no other process has claimed the request since */
  token: optional(z.string()),
  /** how often it was asked for; if it is asked for again during a claim, it stays due after it */
  asked: safeNumber,
  /** how often it was claimed, including this time */
  attempts: z.number(),
  /** how often in a row it failed, or its process died with it */
  failures: z.number(),
});

/** A request that an orchestrator is asked to carry out. */
export type DueRequest = RowOf<typeof asked>;

/** The request to make a key. */
export const dueKey = (key: { readonly id: KeyId; readonly orgId: OrganisationId }): DueRequest => ({
  id: key.id,
  orgId: key.orgId,
  kind: "key",
  lane: LANES.key,
  line: undefined,
});

/** The request to export a key. */
export const dueKeyExport = (id: KeyExportId, orgId: OrganisationId): DueRequest => ({
  id,
  orgId,
  kind: "export",
  lane: LANES.export,
  line: undefined,
});

/** The request to make a signature. */
export const dueSignature = (id: SignatureId, orgId: OrganisationId): DueRequest => ({
  id,
  orgId,
  kind: "signature",
  lane: LANES.signature,
  line: undefined,
});

/**
 * The request to carry out a transfer or a transaction.
 *
 * @param behind the wallet whose earlier requests it waits for; undefined if it need not wait
 */
export const dueChainRequest = (
  { kind, id, orgId, network }: Pick<ChainRequest, "kind" | "id" | "orgId" | "network">,
  behind: WalletId | undefined,
): DueRequest => ({
  id,
  orgId,
  kind: kind === "Transfer" ? "transfer" : "transaction",
  lane: network,
  line: behind,
});

/**
 * The columns of requests in a parameter that `dueRows` makes. A statement that enqueues requests names such rows
 * `due`, before ENQUEUE.
 */
export const DUE_COLUMNS = "due (id text, kind text, org_id text, lane text, line text)";

/**
 * Enqueues the requests in `due`. A request that is enqueued already becomes due now, or is carried out once more after
 * its current claim. A parked request restarts with no failures; otherwise its next failure would park it again.
 */
export const ENQUEUE = `
  again as (
    update due_requests set asked = asked + 1, parked_at = null, failures = case when parked_at is null then failures else 0 end,
           due_at = case when token is null then now() else due_at end
      from due where due_requests.id = due.id returning due_requests.id),
  queued as (
    insert into due_requests (id, kind, org_id, lane, line)
    select id, kind, org_id, lane, line from due where not exists (select from again where again.id = due.id)
    on conflict (id) do nothing)`;

/** The parameter of a statement that enqueues requests. */
export const dueRows = (due: readonly DueRequest[]): string =>
  JSON.stringify(due.map(({ id, kind, orgId, lane, line }) => ({ id, kind, org_id: orgId, lane, line })));

/** Enqueues a request for orchestrators, in the transaction that accepts it: both commit together (INV-5). */
export const enqueue = async (connection: Connection, due: DueRequest): Promise<void> => {
  await connection.execute(
    `with due as (select * from jsonb_to_recordset($1::jsonb) as ${DUE_COLUMNS}), ${ENQUEUE} select from due`,
    [dueRows([due])],
  );
  connection.announce(DUE_SUBJECT);
};
