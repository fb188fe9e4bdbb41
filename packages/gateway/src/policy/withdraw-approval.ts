import { type Approval, approvalResolved, decideApproval } from "@conclave/custody";
import {
  type Connection,
  recordEvents,
  recordWithdrawal,
  showSubject,
  updateApproval,
} from "@conclave/platform";

/**
 * Ends the approval of an aborted request, so that people are no longer asked. Must run inside the transaction of the
 * abort, with the approval's row locked; a settled approval stays unchanged.
 * @param date ISO 8601 UTC
 */
export const withdrawApproval = async (
  connection: Connection,
  approval: Approval,
  date: string,
): Promise<void> => {
  const withdrawn = decideApproval(approval, { kind: "Withdrawn", date });
  if (!withdrawn.ok) return;
  await recordWithdrawal(connection, approval.id, date);
  await updateApproval(connection, withdrawn.value);
  const shown = await showSubject(connection, approval.subject);
  await recordEvents(connection, [approvalResolved(withdrawn.value, shown)]);
};
