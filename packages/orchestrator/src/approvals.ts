import { approvalResolved, decideApproval, ok, rejectionOf } from "@conclave/custody";
import {
  type Database,
  type Logger,
  listOverdueApprovals,
  Outage,
  recordEvents,
  rejectSubject,
  showSubject,
  takeOverdueApproval,
  updateApproval,
} from "@conclave/platform";
import { approvalNotExpired } from "./log/log-events.ts";

/** Interval between looks for overdue approvals; their timeouts are in minutes. */
export const EXPIRY_MS = 1_000;
const BATCH = 64;

/**
 * Expires every overdue approval, and rejects the request that waits for it, also when the row already says that it
 * expired. The row holds the time limit, so it also passes while no process runs. Rows are taken with SKIP LOCKED:
 * orchestrators share them, and a person who decides at that very moment wins. An approval that cannot be ended, for
 * example because a record is unreadable, is logged and does not block the others.
 * @param now ISO 8601 UTC, the earlier of the database's clock and this machine's, so that a clock that is ahead
 * expires nothing early
 * @returns the number of expired approvals
 */
export const expireApprovals = async (
  database: Database,
  now: string,
  logger: Pick<Logger, "error">,
): Promise<number> => {
  let expired = 0;
  let after: string | undefined = "";
  while (after !== undefined) {
    const ids: readonly string[] = await listOverdueApprovals(database, now, after, BATCH);
    for (const id of ids) {
      const isExpired = await expireOne(database, id, now).catch((err: unknown) => {
        if (err instanceof Outage) throw err;
        approvalNotExpired(logger, { err, approvalId: id });
        return false;
      });
      if (isExpired) expired += 1;
    }
    after = ids.length < BATCH ? undefined : ids.at(-1);
  }
  return expired;
};

const expireOne = (database: Database, id: string, now: string): Promise<boolean> =>
  database.transaction(async (connection) => {
    const approval = await takeOverdueApproval(connection, id, now);
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
