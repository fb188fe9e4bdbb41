import { type Approval, approvalResolved, decideApproval } from "@conclave/custody";
import {
  type Connection,
  recordEvents,
  recordWithdrawal,
  showSubject,
  updateApproval,
} from "@conclave/platform";

/**
 * Ends an approval whose request was aborted, so that nobody is asked about it any more. Call it inside the transaction
 * of the abort, with the approval's row locked; one that is settled stays as it is.
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
