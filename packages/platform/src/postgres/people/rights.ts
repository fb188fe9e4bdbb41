import type { OrganisationId } from "@conclave/custody";
import type { Connection } from "../database.ts";

const LOCK = "hashtextextended('rights of ' || $1, 0)";

/**
 * Keeps the rights of an organisation's people, its policies and the tags of its wallets as they are until the transaction ends. Others
 * may hold them too. Call it before any row is locked, but for that of an approval: the order in which nobody waits for each other.
 */
export const holdRights = async (connection: Connection, orgId: OrganisationId): Promise<void> => {
  await connection.execute(`select pg_advisory_xact_lock_shared(${LOCK})`, [orgId]);
};

/** The longest wait for the holders of rights, who each judge one request and may wait for a lock. It is shorter than a statement may take. */
const WAIT = "set local lock_timeout = '9s'";

/**
 * Waits for all who hold an organisation's rights, and lets nobody hold them until the transaction ends. A transaction that takes a right
 * away, or changes a policy or the tags of a wallet, calls it before any row is locked (041_rights_end.sql and 045_tags_are_rights.sql take
 * it where that was left out).
 */
export const changeRights = async (connection: Connection, orgId: OrganisationId): Promise<void> => {
  await connection.execute(WAIT);
  await connection.execute(`select pg_advisory_xact_lock(${LOCK})`, [orgId]);
};
