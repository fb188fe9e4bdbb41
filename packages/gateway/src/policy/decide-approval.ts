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
 * Records one person's vote on an approval. It is judged by the current state: the current groups of the policies, and
 * which voters may still approve. The vote that settles the approval releases or rejects the request in the same
 * transaction, so that a request is never approved without being released (INV-6, INV-8). Rights and policies cannot
 * change during it.
 * @returns ApprovalNotFound, PermissionMissing, or a refusal of `decideApproval`
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

/** Removes a vote that no longer counts, for example by a token that has ended, so that the person may vote again. */
const withoutEndedVoice = async (
  connection: Connection,
  approval: Approval,
  userId: UserId,
): Promise<Approval> => {
  const earlier = approval.decisions.find((voice) => voice.userId === userId);
  if (earlier === undefined || (await judgeVoice(connection, approval, earlier)).ok) return approval;
  return { ...approval, decisions: approval.decisions.filter((voice) => voice !== earlier) };
};

/** Whether a voter may still approve; PermissionMissing otherwise. */
const judgeVoice = (
  connection: Connection,
  { orgId }: Approval,
  { userId, tokenId, appId }: ApprovalVoice,
): Promise<Result<unknown>> =>
  judgeStanding(connection, { orgId, userId, tokenId, appId }, "who decides on it", [MAY_APPROVE]);

/** The person behind each identity, and the votes that no longer count. */
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
