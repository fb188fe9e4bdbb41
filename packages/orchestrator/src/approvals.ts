import { approvalResolved, decideApproval, ok, rejectionOf } from "@conclave/custody";
import {
  type Database,
  recordEvents,
  rejectSubject,
  showSubject,
  takeOverdueApproval,
  updateApproval,
} from "@conclave/platform";

/** Between two looks: approvals expire by the minute. */
export const EXPIRY_MS = 1_000;

/**
 * Expires every approval whose time is over, and rejects what waits for it, also when the row says already that it has
 * expired. The time is in the row, so that it passes
 * while nobody runs; rows are taken with SKIP LOCKED, so that orchestrators share them, and a person who decides at that
 * very moment comes first.
 * @param now ISO 8601 UTC, the earlier of the database's clock and this machine's: one that is ahead ends nothing for good
 * @returns how many expired
 */
export const expireApprovals = async (database: Database, now: string): Promise<number> => {
  let expired = 0;
  while (await expireOne(database, now)) expired += 1;
  return expired;
};

const expireOne = (database: Database, now: string): Promise<boolean> =>
  database.transaction(async (connection) => {
    const approval = await takeOverdueApproval(connection, now);
    if (approval === undefined) return false;
    const isSaid = approval.status === "Expired";
    const decided = isSaid ? ok(approval) : decideApproval(approval, { kind: "Expired", date: now });
    if (!decided.ok) return false;
    if (!isSaid) await updateApproval(connection, decided.value);
    const rejection = { date: now, reason: rejectionOf(decided.value) };
    await rejectSubject(connection, decided.value.subject, rejection);
    const shown = await showSubject(connection, decided.value.subject);
    await recordEvents(connection, [approvalResolved(decided.value, shown)]);
    return true;
  });
