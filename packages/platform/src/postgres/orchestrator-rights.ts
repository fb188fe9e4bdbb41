import { z } from "zod";
import type { Connection } from "./database.ts";

/** Permitted login names. They are inserted into statements, so they must not need quotes. */
export const LOGIN_PATTERN = /^[a-z_][a-z0-9_]{0,62}$/;

/**
 * The rights of orchestrators on each table; they have none on other tables. Orchestrators cannot create users,
 * permissions, policies or votes, so they cannot make the gateway authorise anything. Rules that depend on the row are
 * triggers (014_orchestrator_guard.sql and later ones).
 *
 * `update` is granted column by column: a role that may update, delete from or truncate a whole table may lock out all
 * others (LOCK TABLE), and a right on columns does not allow that.
 */
const RIGHTS: Readonly<Record<string, readonly string[]>> = {
  schema_migrations: ["select"],
  organisations: ["select"],
  keys: ["select", "update"],
  attested_keys: ["select", "insert"],
  key_imports: ["select", "delete"],
  key_exports: ["select", "update (status, shares, public_key, problem)"],
  wallets: ["select", "update"],
  read_blocks: ["select", "insert", "update"],
  deposits: ["select", "insert"],
  address_watches: ["select"],
  watched_movements: ["select", "insert"],
  chain_requests: ["select", "update"],
  dead_transactions: ["select", "insert"],
  // only the gateway writes the authority's statement; an orchestrator asks for it
  death_statements: ["select", "insert (request_id, transactions, date_asked)"],
  presignature_leases: ["select", "insert", "update", "delete"],
  signatures: ["select", "update"],
  policy_evaluations: ["select"],
  policy_approval_decisions: ["select"],
  policy_approvals: ["select", "update (status, date_updated, date_resolved)"],
  change_requests: ["select", "update (status, reason, date_resolved)"],
  events: ["select", "insert"],
  faults: ["select", "insert"],
  outbox: ["select", "insert", "update (date_published)"],
  due_requests: ["select", "insert", "update", "delete"],
  orchestrators: ["select", "insert", "delete"],
  // only the gateway writes when it looked at a wait, and how long it holds it
  fee_waits: ["select", "insert (request_id, network, since_height)", "delete"],
  record_marks: ["select", "insert", "update"],
  // only an operator writes that a request was not carried out
  unsure_requests: ["select", "insert (request_id, why)", "update (why)"],
  served_turns: ["select", "insert", "update"],
  webhooks: ["select"],
  webhook_deliveries: ["select", "insert", "update", "delete"],
  webhook_events: ["select", "insert"],
};

/**
 * Grants a login exactly the rights that orchestrators need. Call it as the owner of the tables, in the migrating transaction.
 *
 * @param login an existing role that is no member of the owner
 * @throws RangeError for a name that needs quotes
 */
export const grantOrchestrator = async (connection: Connection, login: string): Promise<void> => {
  if (!LOGIN_PATTERN.test(login)) throw new RangeError(`not the name of a login: ${login}`);
  await connection.execute(`revoke all on all tables in schema public from ${login}`);
  // before PostgreSQL 15 every login may add functions to this schema, and the gateway would run them instead of its
  // own
  await connection.execute(`revoke create on schema public from public, ${login}`);
  for (const [table, rights] of Object.entries(RIGHTS)) {
    const granted = rights.includes("update") ? await byColumn(connection, table, rights) : rights;
    await connection.execute(`grant ${granted.join(", ")} on ${table} to ${login}`);
  }
};

const columnSchema = z.object({ name: z.string() });

/** The rights, with `update` on the table replaced by `update` on each of its columns. */
const byColumn = async (
  connection: Connection,
  table: string,
  rights: readonly string[],
): Promise<readonly string[]> => {
  const columns = await connection.rows(
    columnSchema,
    `select quote_ident(attname) as name from pg_attribute
     where attrelid = $1::regclass and attnum > 0 and not attisdropped order by attnum`,
    [`public.${table}`],
  );
  const update = `update (${columns.map(({ name }) => name).join(", ")})`;
  return rights.map((right) => (right === "update" ? update : right));
};
