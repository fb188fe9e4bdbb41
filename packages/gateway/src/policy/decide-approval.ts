import {
  type Approval,
  type ApprovalDecisionBody,
  type ApprovalId,
  type ApprovalView,
  approvalResolved,
  approvalView,
  decideApproval,
  decisionOf,
  fail,
  ok,
  type PeopleBehind,
  type Result,
  rejectionOf,
} from "@conclave/custody";
import {
  type Caller,
  type Connection,
  insertVoice,
  lockApproval,
  readPeopleBehind,
  recordEvents,
  rejectSubject,
  showSubject,
  updateApproval,
} from "@conclave/platform";
import type { Dependencies } from "../dependencies.ts";
import { releaseSubject } from "./release.ts";

/** Who speaks. */
export interface Approver extends Caller {
  readonly isServiceAccount: boolean;
}

/**
 * Takes down what one person says of an approval. The voice that settles it releases or rejects what waits, in the same
 * transaction: there is no moment at which a request is approved and not on its way (INV-6, INV-8).
 * @returns ApprovalNotFound, or what `decideApproval` refuses
 */
export const decideOnApproval = (
  dependencies: Dependencies,
  approver: Approver,
  approvalId: ApprovalId,
  body: ApprovalDecisionBody,
): Promise<Result<ApprovalView>> =>
  dependencies.database.transaction(async (connection) => {
    const { orgId, userId, isServiceAccount } = approver;
    const approval = await lockApproval(connection, orgId, approvalId);
    if (approval === undefined) return fail("ApprovalNotFound", { approvalId, orgId });
    const date = dependencies.now().toISOString();
    const voice = { userId, isServiceAccount, value: body.value, reason: body.reason, date };
    const involved = [userId, approval.initiatorId, ...approval.decisions.map((each) => each.userId)];
    const people = await readPeopleBehind(connection, orgId, involved);
    const decided = decideApproval(approval, { kind: "Spoken", voice, people });
    if (!decided.ok) return decided;
    await insertVoice(connection, approvalId, voice);
    await updateApproval(connection, decided.value);
    await settle(dependencies, connection, decided.value, people, date);
    const shown = await showSubject(connection, decided.value.subject);
    if (decided.value.status !== "Pending") {
      await recordEvents(connection, [approvalResolved(decided.value, shown)]);
    }
    return ok(approvalView(decided.value, shown));
  });

const settle = async (
  dependencies: Dependencies,
  connection: Connection,
  approval: Approval,
  people: PeopleBehind,
  date: string,
): Promise<void> => {
  if (approval.status === "Pending") return;
  const decision = decisionOf(approval, people);
  if (decision === undefined) {
    await rejectSubject(connection, approval.subject, { date, reason: rejectionOf(approval) });
  } else {
    await releaseSubject(dependencies, connection, approval.subject, decision);
  }
};
