import type { PolicyId } from "../identifiers.ts";
import {
  type Activity,
  type ConcernedWallet,
  type SigningActivity,
  type SigningFacts,
  subjectsOf,
} from "./activity.ts";
import type { Policy } from "./policy.ts";
import type { ApprovalGroup, PolicyBody, SigningRule } from "./policy-body.ts";
import { applyRule, NO_FACTS, type RuleOutcome } from "./rules.ts";
import { strangerTo } from "./whitelist.ts";

/** One policy's judgement of one activity; recorded, since a later evaluation could differ. */
export interface PolicyEvaluation extends RuleOutcome {
  readonly policyId: PolicyId;
}

/** A group of approvers, and the policy that asks for it. */
export interface RequestedGroup extends ApprovalGroup {
  readonly policyId: PolicyId;
}

/** The judgement of all policies together. Blocking outweighs asking for approval. */
export type PolicyVerdict = { readonly evaluations: readonly PolicyEvaluation[] } & (
  | { readonly kind: "Allowed" }
  | {
      readonly kind: "ApprovalRequested";
      /** each group must reach its quorum */
      readonly groups: readonly RequestedGroup[];
      /** minutes, the shortest timeout of all policies; undefined: no timeout */
      readonly timeoutMinutes: number | undefined;
    }
  | { readonly kind: "Blocked"; readonly reason: string }
);

type SigningFilters = Extract<PolicyBody, { activityKind: "Wallets:Sign" }>["filters"];

/** An empty list selects everything, as an absent one does: a policy that selected nothing would protect nothing. */
const passes = <T>(list: readonly T[] | undefined, value: T): boolean =>
  list === undefined || list.length === 0 || list.includes(value);

const selects = (filters: SigningFilters, wallet: ConcernedWallet): boolean => {
  const { hasAny = [], hasAll = [] } = filters?.walletTags ?? {};
  return (
    passes(filters?.walletId?.in, wallet.id) &&
    (hasAny.length === 0 || hasAny.some((tag) => wallet.tags.includes(tag))) &&
    hasAll.every((tag) => wallet.tags.includes(tag))
  );
};

const selectsAll = (filters: SigningFilters): boolean => {
  const { hasAny = [], hasAll = [] } = filters?.walletTags ?? {};
  return (filters?.walletId?.in.length ?? 0) + hasAny.length + hasAll.length === 0;
};

/**
 * The ids under which a policy on signatures counts an activity: the wallets that it applies to, or the key,
 * or none.
 */
const countedUnder = (filters: SigningFilters, activity: SigningActivity): readonly string[] =>
  activity.wallets.length === 0
    ? subjectsOf(activity).filter(() => selectsAll(filters))
    : activity.wallets.filter((wallet) => selects(filters, wallet)).map(({ id }) => id);

/**
 * Finds the policies that forbid an export. The holder of an exported key signs without any policy; so every
 * active policy on the key's signatures that blocks or asks for approval forbids it, whether or not its rule
 * triggers.
 * @param activity of the key, with all of its wallets
 */
export const policiesAgainstExport = (
  policies: readonly Policy[],
  activity: SigningActivity,
): readonly Policy[] =>
  policies.filter(
    ({ status, body }) =>
      status === "Active" &&
      body.activityKind === "Wallets:Sign" &&
      body.action.kind !== "NoAction" &&
      countedUnder(body.filters, activity).length > 0,
  );

/** One policy's judgement of an activity; undefined when the policy does not apply. */
const evaluateOne = (policy: Policy, activity: Activity, facts: SigningFacts): RuleOutcome | undefined => {
  const { body } = policy;
  if (policy.status !== "Active") return undefined;
  if (body.activityKind === "Wallets:Sign") {
    if (activity.kind !== "Wallets:Sign") return undefined;
    const subjects = countedUnder(body.filters, activity);
    return subjects.length === 0 ? undefined : applyRule(body.rule, activity, facts, subjects);
  }
  return appliesTo(policy.id, body, activity)
    ? { triggered: true, reason: "the policy always triggers" }
    : undefined;
};

/** A policy on changes of policies also guards itself, whatever its filter: otherwise it could be removed first. */
const appliesTo = (
  id: PolicyId,
  body: Exclude<PolicyBody, { activityKind: "Wallets:Sign" }>,
  activity: Activity,
): boolean => {
  switch (body.activityKind) {
    case "Policies:Modify":
      return (
        activity.kind === body.activityKind &&
        activity.policyIds.some((changed) => changed === id || passes(body.filters?.policyId?.in, changed))
      );
    case "Permissions:Assign":
    case "Permissions:Modify":
      return (
        activity.kind === body.activityKind && passes(body.filters?.permissionId?.in, activity.permissionId)
      );
  }
};

/**
 * Evaluates every policy that applies to an activity (wire interface, section F.7).
 * @param facts the values that rules on transactions compare with; without them, such rules trigger
 * @param answered the policies whose approvers already approved this request: they ask nobody again
 */
export const evaluatePolicies = (
  policies: readonly Policy[],
  activity: Activity,
  facts: SigningFacts = NO_FACTS,
  answered: ReadonlySet<PolicyId> = new Set(),
): PolicyVerdict => {
  const applied = policies.flatMap((policy) => {
    const outcome = evaluateOne(policy, activity, facts);
    return outcome === undefined ? [] : [{ policy, evaluation: { policyId: policy.id, ...outcome } }];
  });
  const evaluations = applied.map(({ evaluation }) => evaluation);
  const acting = applied.filter(({ evaluation }) => evaluation.triggered);
  const blocking = acting.find(({ policy }) => policy.body.action.kind === "Block");
  if (blocking !== undefined) {
    const reason = `blocked by policy ${blocking.policy.id}: ${blocking.evaluation.reason}`;
    return { kind: "Blocked", evaluations, reason };
  }
  const asking = acting.flatMap(({ policy: { id, body } }) =>
    body.action.kind === "RequestApproval" && !answered.has(id)
      ? [{ policyId: id, action: body.action }]
      : [],
  );
  if (asking.length === 0) return { kind: "Allowed", evaluations };
  const timeouts = asking.flatMap(({ action }) => action.autoRejectTimeout ?? []);
  return {
    kind: "ApprovalRequested",
    evaluations,
    groups: asking.flatMap(({ policyId, action }) =>
      action.approvalGroups.map((group) => ({ ...group, policyId })),
    ),
    timeoutMinutes: timeouts.length === 0 ? undefined : Math.min(...timeouts),
  };
};

/**
 * Searches the whitelists that apply to an activity, in steps, and caches the result, so that
 * `evaluatePolicies` is quick afterwards. Optional: without it, `evaluatePolicies` does all steps at once.
 * @returns after each step, its cost as a number of address spellings, each 25 µs at most
 */
export const whitelistSteps = function* (
  policies: readonly Policy[],
  activity: Activity,
): Generator<number, void> {
  if (activity.kind !== "Wallets:Sign" || activity.effects.unknown !== undefined) return;
  for (const { status, body } of policies) {
    if (status !== "Active" || body.activityKind !== "Wallets:Sign") continue;
    if (body.rule.kind !== "TransactionRecipientWhitelist") continue;
    if (countedUnder(body.filters, activity).length === 0) continue;
    yield* strangerTo(body.rule.configuration.addresses, activity);
  }
};

/** The timeframes of the policies on transactions, in minutes: for each of them facts must be read. */
export const timeframesOf = (policies: readonly Policy[]): readonly number[] => [
  ...new Set(
    policies.flatMap(({ status, body }) =>
      status === "Active" && body.activityKind === "Wallets:Sign" ? timeframeOf(body.rule) : [],
    ),
  ),
];

const timeframeOf = (rule: SigningRule): readonly number[] => {
  switch (rule.kind) {
    case "TransactionAmountVelocity":
    case "TransactionCountVelocity":
      return [rule.configuration.timeframe];
    case "AlwaysTrigger":
    case "TransactionAmountLimit":
    case "TransactionRecipientWhitelist":
      return [];
  }
};
