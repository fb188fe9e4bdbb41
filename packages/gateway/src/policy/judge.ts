import {
  type Activity,
  type Approval,
  type ApprovalId,
  type ApprovalSubject,
  allowedBy,
  approvalIdSchema,
  approvalPending,
  type Network,
  type OrganisationId,
  type Policy,
  type PolicyDecision,
  type PolicyVerdict,
  policyTriggered,
  repeatedRequest,
  type ShownRequest,
  type SigningActivity,
  type SigningFacts,
  subjectsOf,
  timeframesOf,
  type UserId,
  type Value,
} from "@conclave/custody";
import {
  type Connection,
  insertApproval,
  insertEvaluations,
  lockSpending,
  type RecordedSpending,
  readPoliciesInForce,
  recordEvents,
  recordSpending,
} from "@conclave/platform";
import type { Dependencies } from "../dependencies.ts";
import { evaluateInPieces } from "./evaluate.ts";
import { readFacts, worthOn } from "./past-spending.ts";

const MINUTE_MS = 60_000;

/** The judgement of a request by the organisation's policies. */
export type Judgement =
  /** the authority may sign now */
  | { readonly kind: "Allowed"; readonly decision: PolicyDecision }
  /** people are asked, and nothing is authorised before they approve (INV-8) */
  | { readonly kind: "Pending"; readonly approvalId: ApprovalId }
  | { readonly kind: "Rejected"; readonly reason: string };

/** A judgement that is not recorded yet. */
export interface Judged {
  readonly judgement: Judgement;
  /**
   * Records the policies' evaluations of the request. Must be called once, in the transaction of the judgement, when
   * the request's row is stored.
   */
  readonly record: () => Promise<void>;
}

/** A new request. */
export interface RequestToJudge {
  readonly orgId: OrganisationId;
  readonly initiatorId: UserId;
  readonly subject: ApprovalSubject;
  readonly activity: Activity;
  /** of transactions and signatures: the network for prices of assets */
  readonly network?: Network | undefined;
  /**
   * the first request of its replacement chain, if it replaces others: at most one of the chain lands, so it is counted
   * once
   */
  readonly firstRequestId?: string | undefined;
  /** ISO 8601 UTC */
  readonly date: string;
  /** The judged request in the API's form, for events, such as `{ transferRequest }`. */
  readonly show: (judgement: Judgement) => ShownRequest;
}

/**
 * Judges a request by the organisation's policies. Must run in the transaction that stores the request, before the
 * authority signs. It writes nothing, so that a request whose row already exists leaves no second judgement.
 *
 * A wallet's past spending is read under a lock until the end of the transaction, so that two concurrent requests
 * cannot both be the last that a velocity limit allows.
 *
 * @returns the judgement, and a function that records its evaluations, the required approval, its spending and their
 * events
 */
export const judge = async (
  { prices, world }: Pick<Dependencies, "prices" | "world">,
  connection: Connection,
  request: RequestToJudge,
): Promise<Judged> => {
  const { orgId, activity, date } = request;
  const policies = await readPoliciesInForce(connection, orgId, activity.kind);
  const past =
    activity.kind === "Wallets:Sign"
      ? await pastOf(connection, request, activity, policies, worthOn(request.network, activity, prices))
      : undefined;
  const verdict = await evaluateInPieces(world, policies, activity, past?.facts);
  const approval = approvalOf(world, request, verdict);
  const judgement = judgementOf(verdict, approval, date);
  const record = async (): Promise<void> => {
    if (past !== undefined) await recordSpending(connection, past.spending);
    await recordVerdict(connection, request, policies, verdict, approval, request.show(judgement));
  };
  return { judgement, record };
};

const recordVerdict = async (
  connection: Connection,
  { orgId, subject, date }: RequestToJudge,
  policies: readonly Policy[],
  { evaluations }: PolicyVerdict,
  approval: Approval | undefined,
  shown: ShownRequest,
): Promise<void> => {
  const repeated = repeatedRequest(shown);
  const ids = await insertEvaluations(connection, { orgId, id: subject.id }, evaluations, date);
  if (approval !== undefined) await insertApproval(connection, approval);
  const triggered = evaluations.flatMap((evaluation, at) => {
    const policy = policies.find(({ id }) => id === evaluation.policyId);
    if (!evaluation.triggered || policy === undefined) return [];
    return [policyTriggered(ids[at] ?? "", policy, evaluation, repeated, date)];
  });
  await recordEvents(connection, [
    ...triggered,
    ...(approval === undefined ? [] : [approvalPending(approval, shown)]),
  ]);
};

/** Reads past spending; recording it counts this request for later ones. */
const pastOf = async (
  connection: Connection,
  { orgId, subject, firstRequestId = subject.id, date }: RequestToJudge,
  activity: SigningActivity,
  policies: readonly Policy[],
  value: Value,
): Promise<{ readonly facts: SigningFacts; readonly spending: RecordedSpending }> => {
  const subjects = subjectsOf(activity);
  if (timeframesOf(policies).length > 0) {
    await lockSpending(connection, [...new Set([...subjects, activity.keyId])]);
  }
  const spender = { orgId, requestId: subject.id, firstRequestId, date, countsWaiting: true };
  const facts = await readFacts(connection, spender, activity, policies, value);
  return { facts, spending: { orgId, subjects, requestId: subject.id, firstRequestId, value, date } };
};

const approvalOf = (
  world: Dependencies["world"],
  request: RequestToJudge,
  verdict: PolicyVerdict,
): Approval | undefined => {
  if (verdict.kind !== "ApprovalRequested") return undefined;
  const { orgId, initiatorId, subject, activity, date } = request;
  const { groups, evaluations, timeoutMinutes } = verdict;
  return {
    id: world.freshId(approvalIdSchema, "ap"),
    orgId,
    initiatorId,
    activityKind: activity.kind,
    subject,
    status: "Pending",
    groups,
    evaluations,
    decisions: [],
    expirationDate:
      timeoutMinutes === undefined
        ? undefined
        : new Date(Date.parse(date) + timeoutMinutes * MINUTE_MS).toISOString(),
    dateCreated: date,
    dateUpdated: date,
    dateResolved: undefined,
    dateWithdrawn: undefined,
  };
};

const judgementOf = (verdict: PolicyVerdict, approval: Approval | undefined, date: string): Judgement => {
  if (approval !== undefined) return { kind: "Pending", approvalId: approval.id };
  if (verdict.kind === "Blocked") return { kind: "Rejected", reason: verdict.reason };
  const policies = verdict.evaluations.map(({ policyId }) => policyId);
  return { kind: "Allowed", decision: allowedBy(policies, date) };
};
