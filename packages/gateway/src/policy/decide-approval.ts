import {
  type Approval,
  type ApprovalDecisionBody,
  type ApprovalId,
  type ApprovalView,
  type ApprovalVoice,
  approvalResolved,
  approvalView,
  askedNow,
  decideApproval,
  fail,
  ok,
  type PeopleBehind,
  type Result,
  rejectionOf,
  type UserId,
} from "@conclave/custody";
import {
  type Caller,
  type Connection,
  changeRights,
  holdRights,
  insertVoice,
  lockApproval,
  readPeopleBehind,
  readPoliciesInForce,
  recordEvents,
  rejectSubject,
  showSubject,
  updateApproval,
  updateAsked,
} from "@conclave/platform";
import type { Dependencies } from "../dependencies.ts";
import { MAY_APPROVE } from "../permission/needs.ts";
import { judgeStanding } from "../permission/standing.ts";
import { releaseSubject } from "./release.ts";

/** The voter. */
export interface Approver extends Caller {
  readonly isServiceAccount: boolean;
}

/**
 * Takes down what one person says of an approval. It is judged by what holds now: the groups that the policies have now, and who of those
 * who spoke may still approve. The voice that settles it releases or rejects what waits, in the same transaction: there is no moment at
 * which a request is approved and not on its way (INV-6, INV-8). Nobody loses a right, and no policy changes, in the middle of it.
 * @returns ApprovalNotFound, PermissionMissing, or what `decideApproval` refuses
 */
export const decideOnApproval = (
  dependencies: Dependencies,
  approver: Approver,
  approvalId: ApprovalId,
  body: ApprovalDecisionBody,
): Promise<Result<ApprovalView>> =>
  dependencies.database.transaction(async (connection) => {
    const { orgId } = approver;
    const locked = await lockApproval(connection, orgId, approvalId);
    if (locked === undefined) return fail("ApprovalNotFound", { approvalId, orgId });
    await (locked.subject.kind === "change-request" ? changeRights : holdRights)(connection, orgId);
    const approval = await withoutEndedVoice(connection, locked, approver.userId);
    const date = dependencies.now().toISOString();
    const voice = voiceOf(approver, body, date);
    const may = await judgeVoice(connection, approval, voice);
    if (!may.ok) return may;
    const policies = await readPoliciesInForce(connection, orgId, approval.activityKind);
    const people = await peopleNow(connection, approval, voice);
    const decided = decideApproval(askedNow(approval, policies), { kind: "Spoken", voice, people });
    if (!decided.ok) return decided;
    await insertVoice(connection, approvalId, voice);
    await updateAsked(connection, decided.value);
    const settled = await settle(dependencies, connection, decided.value, people, date);
    await updateApproval(connection, settled);
    const shown = await showSubject(connection, settled.subject);
    if (settled.status !== "Pending") {
      await recordEvents(connection, [approvalResolved(settled, shown)]);
    }
    return ok(approvalView(settled, shown));
  });

const voiceOf = (
  { userId, isServiceAccount, tokenId, appId }: Approver,
  { value, reason }: ApprovalDecisionBody,
  date: string,
): ApprovalVoice => ({ userId, isServiceAccount, tokenId, appId, value, reason, date });

/** A person whose vote counts no more, as one by a token that has ended, may vote again. */
const withoutEndedVoice = async (
  connection: Connection,
  approval: Approval,
  userId: UserId,
): Promise<Approval> => {
  const earlier = approval.decisions.find((voice) => voice.userId === userId);
  if (earlier === undefined || (await judgeVoice(connection, approval, earlier)).ok) return approval;
  return { ...approval, decisions: approval.decisions.filter((voice) => voice !== earlier) };
};

/** Whether somebody who spoke may still approve: PermissionMissing. */
const judgeVoice = (
  connection: Connection,
  { orgId }: Approval,
  { userId, tokenId, appId }: ApprovalVoice,
): Promise<Result<unknown>> =>
  judgeStanding(connection, { orgId, userId, tokenId, appId }, "who decides on it", [MAY_APPROVE]);

/** The person behind each identity, and the votes that do not count any more. */
const peopleNow = async (
  connection: Connection,
  approval: Approval,
  voice: ApprovalVoice,
): Promise<PeopleBehind> => {
  const { orgId, initiatorId, decisions } = approval;
  const involved = [voice.userId, initiatorId, ...decisions.map(({ userId }) => userId)];
  const people = await readPeopleBehind(connection, orgId, involved);
  const gone = new Set<UserId>(people.gone);
  for (const spoken of decisions) {
    if (!(await judgeVoice(connection, approval, spoken)).ok) gone.add(spoken.userId);
  }
  return { ...people, gone };
};

const settle = async (
  dependencies: Dependencies,
  connection: Connection,
  approval: Approval,
  people: PeopleBehind,
  date: string,
): Promise<Approval> => {
  switch (approval.status) {
    case "Pending":
      return approval;
    case "Approved":
      return releaseSubject(dependencies, connection, approval, people, date);
    case "Denied":
    case "Expired":
      await rejectSubject(connection, approval.subject, { date, reason: rejectionOf(approval) });
      return approval;
  }
};
