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

/** How often the orchestrator looks for overdue approvals, whose timeouts are counted in minutes. */
export const EXPIRY_MS = 1_000;
const BATCH = 64;

/**
 * Expires every approval whose time is over, and rejects what waits for it, also when the row says already that it has expired. The time is
 * in the row, so that it passes while nobody runs; rows are taken with SKIP LOCKED, so that orchestrators share them, and a person who
 * decides at that very moment comes first. One that cannot be ended, as where a record cannot be read, is logged and keeps no others
 * waiting.
 * @param now ISO 8601 UTC, the earlier of the database's clock and this machine's: one that is ahead ends nothing for good
 * @returns how many expired
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
