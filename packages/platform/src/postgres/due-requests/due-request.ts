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

/** Announced after a commit that may have made a request due: a listener looks at once, and not at the next round. */
export const DUE_SUBJECT = "conclave.due.requests";

/** Lanes of what belongs to no network. A network's lane has the network's name. */
export const LANES = { key: "key", export: "export", signature: "signature" } as const;

const asked = {
  id: z.string(),
  kind: z.enum(["transfer", "transaction", "key", "export", "signature"]),
  orgId: organisationIdSchema,
  /** the group it is counted in, so that no network keeps another from being served */
  lane: z.string(),
  /** those of one line are carried out one after another; undefined for one that waits for nobody */
  line: optional(z.string()),
};

export const dueRequests = plainTable("due_requests", {
  ...asked,
  isHead: z.boolean(),
  /** whether it says that it waits behind others of its line */
  isTold: z.boolean(),
  dueAt: date,
  parkedAt: optional(date),
  /** of who has taken it: proves to every later write that nobody else has since */
  token: optional(z.string()),
  /** how often it had been asked for: asked for again meanwhile, it is not done */
  asked: safeNumber,
  /** how often it was taken, this time included */
  attempts: z.number(),
  /** how often it failed since it last did not, a process that died with it included */
  failures: z.number(),
});

/** A request that an orchestrator is asked to carry out. */
export type DueRequest = RowOf<typeof asked>;

/** A key to make. */
export const dueKey = (key: { readonly id: KeyId; readonly orgId: OrganisationId }): DueRequest => ({
  id: key.id,
  orgId: key.orgId,
  kind: "key",
  lane: LANES.key,
  line: undefined,
});

/** A key to export. */
export const dueKeyExport = (id: KeyExportId, orgId: OrganisationId): DueRequest => ({
  id,
  orgId,
  kind: "export",
  lane: LANES.export,
  line: undefined,
});

/** A signature to make. */
export const dueSignature = (id: SignatureId, orgId: OrganisationId): DueRequest => ({
  id,
  orgId,
  kind: "signature",
  lane: LANES.signature,
  line: undefined,
});

/**
 * A transfer or a transaction to carry out.
 * @param behind the wallet whose earlier requests it waits for; undefined where it may go beside them
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

/** Requests as rows, from a parameter that `dueRows` makes. A statement that asks for requests calls such rows `due`, before ENQUEUE. */
export const DUE_COLUMNS = "due (id text, kind text, org_id text, lane text, line text)";

/**
 * Asks for what is `due`. One that is asked for already is due now, and looked at once more after its holder is done. A request that was
 * put aside begins without its failures: else it would be put aside again before anybody looks.
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

/** The parameter of a statement that asks for requests. */
export const dueRows = (due: readonly DueRequest[]): string =>
  JSON.stringify(due.map(({ id, kind, orgId, lane, line }) => ({ id, kind, org_id: orgId, lane, line })));

/** Asks orchestrators for a request, in the transaction that makes it due: accepted and asked for commit together (INV-5). */
export const enqueue = async (connection: Connection, due: DueRequest): Promise<void> => {
  await connection.execute(
    `with due as (select * from jsonb_to_recordset($1::jsonb) as ${DUE_COLUMNS}), ${ENQUEUE} select from due`,
    [dueRows([due])],
  );
  connection.announce(DUE_SUBJECT);
};
