import type { OrganisationId } from "@conclave/custody";
import type { Connection } from "../database.ts";

const LOCK = "hashtextextended('rights of ' || $1, 0)";

/**
 * Keeps the rights of an organisation's people, its policies and its wallets' tags unchanged until the transaction
 * ends. Several transactions may hold them at a time. To avoid deadlocks, call it before any row is locked, except that
 * of an approval.
 */
export const holdRights = async (connection: Connection, orgId: OrganisationId): Promise<void> => {
  await connection.execute(`select pg_advisory_xact_lock_shared(${LOCK})`, [orgId]);
};

/**
 * The longest wait for transactions that hold rights; each judges one request and may itself wait for a lock. It is
 * shorter than the limit of a statement.
 */
const WAIT = "set local lock_timeout = '9s'";

/**
 * Waits until no transaction holds an organisation's rights, and prevents others from holding them until this
 * transaction ends. A transaction that takes a right away, or changes a policy or a wallet's tags, calls it before any
 * row is locked (041_rights_end.sql and 045_tags_are_rights.sql do it where a caller did not).
 */
export const changeRights = async (connection: Connection, orgId: OrganisationId): Promise<void> => {
  await connection.execute(WAIT);
  await connection.execute(`select pg_advisory_xact_lock(${LOCK})`, [orgId]);
};
