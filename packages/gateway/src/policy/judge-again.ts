import {
  type Activity,
  type Approval,
  type Network,
  type Policy,
  type PolicyEvaluation,
  type PolicyId,
  type PolicyVerdict,
  policyTriggered,
  type RequestedGroup,
  repeatedRequest,
  type SigningActivity,
  type SigningFacts,
  subjectsOf,
} from "@conclave/custody";
import {
  type Connection,
  insertEvaluations,
  lockSpending,
  readPoliciesInForce,
  readSpendingSubjects,
  recordEvents,
  restateSpending,
  showSubject,
} from "@conclave/platform";
import type { Dependencies } from "../dependencies.ts";
import { evaluateInPieces } from "./evaluate.ts";
import { readFacts, worthOn } from "./past-spending.ts";

/** An approved request, in the form in which it is judged again before its release. */
export interface ApprovedRequest {
  readonly activity: Activity;
  /** of transactions and signatures: the network for prices of assets */
  readonly network?: Network | undefined;
  /** the first request of its replacement chain, if it replaces others */
  readonly firstRequestId?: string | undefined;
}

/** The judgement by the policies in force at the release. */
export type ReleaseJudgement =
  | { readonly kind: "Allowed"; readonly policies: readonly PolicyId[] }
  /** policies require an approval that did not require one before */
  | {
      readonly kind: "AskedFurther";
      readonly evaluations: readonly PolicyEvaluation[];
      readonly groups: readonly RequestedGroup[];
      readonly timeoutMinutes: number | undefined;
    }
  | { readonly kind: "Rejected"; readonly reason: string };

/**
 * Judges an approved request again, by the current policies and prices, and by the amounts that its key has been
 * authorised to spend in the timeframes that end now. Policies whose groups have approved it are satisfied. The result
 * is recorded beside the first judgement (INV-8). An allowed request counts as spent from now on.
 *
 * Must run in the transaction that authorises, with the request's row locked and the organisation's rights held. It
 * locks the wallets' spending until the end of the transaction, so that of two concurrent releases the second counts
 * the first.
 */
export const judgeAgain = async (
  { prices, world }: Pick<Dependencies, "prices" | "world">,
  connection: Connection,
  approval: Approval,
  { activity, network, firstRequestId = approval.subject.id }: ApprovedRequest,
  date: string,
): Promise<ReleaseJudgement> => {
  const policies = await readPoliciesInForce(connection, approval.orgId, activity.kind);
  const answered = new Set(approval.groups.map(({ policyId }) => policyId));
  const { orgId, subject } = approval;
  const spender = { orgId, requestId: subject.id, firstRequestId, date, countsWaiting: false };
  const isSigning = activity.kind === "Wallets:Sign";
  if (isSigning) await lockAll(connection, activity, subject.id);
  const facts = isSigning
    ? await readFacts(connection, spender, activity, policies, worthOn(network, activity, prices))
    : undefined;
  const verdict = await evaluateInPieces(world, policies, activity, facts, answered);
  await record(connection, approval, policies, verdict, date);
  switch (verdict.kind) {
    case "Blocked":
      return { kind: "Rejected", reason: verdict.reason };
    case "ApprovalRequested":
      return {
        kind: "AskedFurther",
        evaluations: verdict.evaluations,
        groups: verdict.groups,
        timeoutMinutes: verdict.timeoutMinutes,
      };
    case "Allowed":
      if (isSigning) await count(connection, spender, activity, facts);
      return { kind: "Allowed", policies: verdict.evaluations.map(({ policyId }) => policyId) };
  }
};

/**
 * Locks the spending of the key and of all its wallets: those of the first judgement, and any that the key has got
 * since then.
 */
const lockAll = async (
  connection: Connection,
  activity: SigningActivity,
  requestId: string,
): Promise<void> => {
  const before = await readSpendingSubjects(connection, requestId);
  await lockSpending(connection, [...new Set([...subjectsOf(activity), activity.keyId, ...before])]);
};

const count = async (
  connection: Connection,
  { orgId, requestId, firstRequestId, date }: Parameters<typeof readFacts>[1],
  activity: SigningActivity,
  facts: SigningFacts | undefined,
): Promise<void> => {
  if (facts === undefined) throw new Error(`${requestId} was judged without facts`);
  const { value } = facts;
  await restateSpending(connection, {
    orgId,
    subjects: subjectsOf(activity),
    requestId,
    firstRequestId,
    value,
    date,
  });
};

/** Records the evaluations, and an event for each policy that triggers for the first time. */
const record = async (
  connection: Connection,
  approval: Approval,
  policies: readonly Policy[],
  { evaluations }: PolicyVerdict,
  date: string,
): Promise<void> => {
  const subject = { orgId: approval.orgId, id: approval.subject.id };
  const ids = await insertEvaluations(connection, subject, evaluations, date);
  const repeated = repeatedRequest(await showSubject(connection, approval.subject));
  const isKnown = ({ policyId }: PolicyEvaluation): boolean =>
    approval.evaluations.some((earlier) => earlier.policyId === policyId && earlier.triggered);
  const triggered = evaluations.flatMap((evaluation, at) => {
    const policy = policies.find(({ id }) => id === evaluation.policyId);
    if (!evaluation.triggered || policy === undefined || isKnown(evaluation)) return [];
    return [policyTriggered(ids[at] ?? "", policy, evaluation, repeated, date)];
  });
  await recordEvents(connection, triggered);
};
