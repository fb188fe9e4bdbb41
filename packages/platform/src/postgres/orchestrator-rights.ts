import type { Connection } from "./database.ts";

/** A login's name as we write it into statements: nothing in it needs quotes. */
export const LOGIN_PATTERN = /^[a-z_][a-z0-9_]{0,62}$/;

/**
 * What orchestrators do with each table; of the others they see nothing. They cannot make users, permissions, policies or
 * voices of approvals, so the gateway authorises nothing on their word. What depends on the row is in triggers
 * (014_orchestrator_guard.sql and later ones).
 */
const RIGHTS: Readonly<Record<string, readonly string[]>> = {
  schema_migrations: ["select"],
  organisations: ["select"],
  keys: ["select", "update"],
  attested_keys: ["select", "insert"],
  key_imports: ["select", "delete"],
  key_exports: ["select", "update (status, shares, problem)"],
  wallets: ["select", "update"],
  chain_requests: ["select", "update"],
  dead_transactions: ["select", "insert"],
  // the authority's word is the gateway's to give: an orchestrator asks for it
  death_statements: ["select", "insert (request_id, transactions, date_asked)"],
  signatures: ["select", "update"],
  policy_evaluations: ["select"],
  policy_approval_decisions: ["select"],
  policy_approvals: ["select", "update (status, date_updated, date_resolved)"],
  change_requests: ["select", "update (status, reason, date_resolved)"],
  events: ["select", "insert"],
  faults: ["select", "insert"],
  outbox: ["select", "insert", "update (date_published)", "delete"],
  bus_stores: ["select", "insert"],
  webhooks: ["select"],
  webhook_deliveries: ["select", "insert", "update", "delete"],
  webhook_events: ["select", "insert", "delete"],
};

/**
 * Gives a login exactly what orchestrators need. Call it as the owner of the tables, in the transaction that migrates.
 *
 * @param login a role that there is and that is no member of the owner
 * @throws RangeError for a name that needs quotes
 */
export const grantOrchestrator = async (connection: Connection, login: string): Promise<void> => {
  if (!LOGIN_PATTERN.test(login)) throw new RangeError(`not the name of a login: ${login}`);
  await connection.execute(`revoke all on all tables in schema public from ${login}`);
  // before PostgreSQL 15 any login may add functions to it, and the gateway would run those that fit its statements better
  await connection.execute(`revoke create on schema public from public, ${login}`);
  for (const [table, rights] of Object.entries(RIGHTS)) {
    await connection.execute(`grant ${rights.join(", ")} on ${table} to ${login}`);
  }
};
