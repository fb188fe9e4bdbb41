import { createPublicKey, verify } from "node:crypto";
import { setTimeout as pause } from "node:timers/promises";
import { authorisedActSchema } from "@conclave/custody";
import { type Database, loadRoster } from "@conclave/platform";
import type { Cluster } from "@conclave/testbed";
import { z } from "zod";
import type { LoadHistory } from "../load/history.ts";
import { contentText, resourceIdIn } from "../load/webhook-ear.ts";
import {
  type ApprovalFact,
  type AuthorisationFact,
  type DatabaseFacts,
  type EventFact,
  eventName,
  type RowFact,
} from "./cluster-facts.ts";

const QUIET_POLL_MS = 100;
const ED25519_PREFIX = "302a300506032b6570032100";

const text = z
  .string()
  .nullable()
  .transform((value) => value ?? undefined);
const bytes = z.custom<Uint8Array>((value) => value instanceof Uint8Array);
const optionalBytes = bytes.nullable().transform((value) => value ?? undefined);
const sequence = z
  .string()
  .nullable()
  .transform((value) => (value === null ? undefined : BigInt(value)));
const dateText = z.coerce.date().transform((date) => date.toISOString());
const data = z.record(z.string(), z.unknown());

const requestColumns = z.object({
  id: z.string(),
  org_id: z.string(),
  wallet_id: z.string(),
  external_id: text,
  status: z.string(),
  reason: text,
  tx_hash: text,
  sequence,
  approval_id: text,
  authorisation: optionalBytes,
  authorisation_signature: optionalBytes,
  signed_transaction: optionalBytes,
});
const deadColumns = z.object({ request_id: z.string(), signed_transaction: bytes });
const contentSchema = z.looseObject({ to: z.string().optional(), amount: z.string().optional() });

const hexOf = (value: Uint8Array): string => Buffer.from(value).toString("hex");

const isByAuthority = (payload: Uint8Array, signature: Uint8Array, authorityKey: string): boolean => {
  const key = Buffer.from(ED25519_PREFIX + authorityKey, "hex");
  return verify(null, payload, createPublicKey({ key, format: "der", type: "spki" }), signature);
};

const authorisationOf = (
  payload: Uint8Array | undefined,
  signature: Uint8Array | undefined,
  authorityKey: string,
): AuthorisationFact | undefined => {
  if (payload === undefined || signature === undefined) return undefined;
  const act = authorisedActSchema.parse(JSON.parse(Buffer.from(payload).toString("utf8")));
  const { to, amount } = contentSchema.parse(act.kind === "transfer" ? act.transfer : act.transaction);
  const { outcome, approvalId, approvers = [] } = act.policy;
  return {
    isByAuthority: isByAuthority(payload, signature, authorityKey),
    requestId: act.requestId,
    walletId: act.walletId,
    to,
    amount,
    outcome,
    approvalId,
    approvers,
  };
};

const readRows = async (database: Database, authorityKey: string): Promise<readonly RowFact[]> => {
  const dead = await database.rows(
    deadColumns,
    "select request_id, signed_transaction from dead_transactions order by request_id, number",
  );
  const rows = await database.rows(
    requestColumns,
    `select id, org_id, wallet_id, external_id, status, reason, tx_hash, sequence::text as sequence, approval_id,
       authorisation, authorisation_signature, signed_transaction
     from chain_requests order by date_requested, id`,
  );
  return rows.map((row): RowFact => {
    const died = dead.filter(({ request_id }) => request_id === row.id);
    const last = row.signed_transaction;
    return {
      id: row.id,
      orgId: row.org_id,
      walletId: row.wallet_id,
      externalId: row.external_id,
      status: row.status,
      reason: row.reason,
      txHash: row.tx_hash,
      sequence: row.sequence,
      approvalId: row.approval_id,
      authorisation: authorisationOf(row.authorisation, row.authorisation_signature, authorityKey),
      signed: [...died.map((one) => one.signed_transaction), ...(last === undefined ? [] : [last])].map(
        hexOf,
      ),
    };
  });
};

const readApprovals = async (database: Database): Promise<readonly ApprovalFact[]> => {
  const votes = await database.rows(
    z.object({ approval_id: z.string(), user_id: z.string(), value: z.string() }),
    "select approval_id, user_id, value from policy_approval_decisions",
  );
  const approvals = await database.rows(
    z.object({ id: z.string(), subject_id: z.string(), status: z.string() }),
    "select id, subject_id, status from policy_approvals",
  );
  return approvals.map(({ id, subject_id: subjectId, status }) => ({
    id,
    subjectId,
    status,
    votes: votes
      .filter(({ approval_id }) => approval_id === id)
      .map(({ user_id: userId, value }) => ({ userId, value })),
  }));
};

const eventColumns = z
  .object({ id: z.string(), kind: z.string(), org_id: z.string(), data, date: dateText })
  .transform(
    (row): EventFact => ({
      id: row.id,
      kind: row.kind,
      orgId: row.org_id,
      resourceId: resourceIdIn(row.data),
      date: row.date,
      content: contentText(row.data),
    }),
  );

/**
 * Waits until the outbox is published, and each webhook delivery had its first attempt. At the deadline it returns, and the
 * checks report the rest.
 */
export const untilQuiet = async (database: Database, deadlineMs: number): Promise<void> => {
  const ends = Date.now() + deadlineMs;
  const schema = z.object({ waiting: z.coerce.number() });
  const query = `select (select count(*) from outbox where date_published is null)
    + (select count(*) from webhook_deliveries where attempts = 0) as waiting`;
  while (Date.now() < ends) {
    const [first] = await database.rows(schema, query);
    if (first?.waiting === 0) return;
    await pause(QUIET_POLL_MS);
  }
};

const publishingColumns = z
  .object({ message_id: z.string(), date_published: z.coerce.date() })
  .transform((row) => [row.message_id, row.date_published.getTime()] as const);

/** The publishing times. The relay writes the start of its transaction, so an event was published after that time. */
const readPublishing = async (database: Database): Promise<ReadonlyMap<string, number>> =>
  new Map(
    await database.rows(
      publishingColumns,
      "select message_id, date_published from outbox where date_published is not null",
    ),
  );

/** All database facts that the checks judge. */
export const readDatabase = async (
  { layout }: Pick<Cluster, "layout">,
  database: Database,
): Promise<DatabaseFacts> => {
  const { authorityKey } = await loadRoster(layout.roster);
  const waiting = z
    .object({ kind: z.string(), data, date: dateText })
    .transform((row) => eventName(row.kind, resourceIdIn(row.data), row.date));
  const due = z
    .object({ id: z.string(), is_parked: z.boolean(), reason: text })
    .transform((row) => ({ id: row.id, isParked: row.is_parked, reason: row.reason }));
  const fault = z
    .object({ culprit: z.number(), reporter: z.number(), check_name: z.string() })
    .transform(({ check_name: check, ...who }) => ({ ...who, check }));
  const unpublished = z.object({ message_id: z.string() }).transform((row) => row.message_id);
  return {
    rows: await readRows(database, authorityKey),
    approvals: await readApprovals(database),
    // in the order of the changes, by the outbox's numbers; dates cannot order events of one millisecond
    events: await database.rows(
      eventColumns,
      `select e.id, e.kind, e.org_id, e.data, e.date from events e left join outbox o on o.message_id = e.id
       order by o.id nulls first, e.date, e.id`,
    ),
    publishing: await readPublishing(database),
    unpublished: await database.rows(
      unpublished,
      "select message_id from outbox where date_published is null and message_id like 'evt-%'",
    ),
    waitingDeliveries: await database.rows(waiting, "select kind, data, date from webhook_deliveries"),
    due: await database.rows(
      due,
      "select id, parked_at is not null as is_parked, reason from due_requests where kind = 'transfer'",
    ),
    faults: await database.rows(fault, "select culprit, reporter, check_name from faults order by id"),
  };
};

const tableColumns = z.object({ name: z.string() }).transform(({ name }) => name);
const rowText = z.object({ row: z.string() }).transform(({ row }) => row);

/** Every table as text, by its name; bytes are in hex. */
export const dumpTables = async (database: Database): Promise<ReadonlyMap<string, Buffer>> => {
  const names = await database.rows(
    tableColumns,
    "select tablename as name from pg_tables where schemaname = 'public' order by tablename",
  );
  const dump = new Map<string, Buffer>();
  for (const name of names) {
    const rows = await database.rows(rowText, `select row_to_json(t)::text as row from "${name}" t`);
    dump.set(name, Buffer.from(rows.join("\n")));
  }
  return dump;
};

/** The ids of the load's accepted requests. */
export const acceptedIds = ({ requests }: LoadHistory): readonly string[] =>
  requests.flatMap(({ answer }) => (answer?.kind === "accepted" ? [answer.id] : []));
