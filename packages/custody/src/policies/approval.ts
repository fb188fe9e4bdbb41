import { z } from "zod";
import { fail, ok, type Result } from "../errors.ts";
import {
  type ApplicationId,
  type ApprovalId,
  changeRequestIdSchema,
  type OrganisationId,
  type PolicyId,
  signatureIdSchema,
  type TokenId,
  transactionIdSchema,
  transferIdSchema,
  type UserId,
} from "../identifiers.ts";
import type { PolicyEvaluation, RequestedGroup } from "./evaluation.ts";
import { type PeopleBehind, personBehind } from "./people-behind.ts";
import type { Policy } from "./policy.ts";
import { type ActivityKind, approvalGroupSchema, MOST_GROUPS, MOST_POLICIES } from "./policy-body.ts";
import type { PolicyDecision } from "./policy-decision.ts";

const MINUTE_MS = 60_000;

export const APPROVAL_STATUSES = ["Pending", "Approved", "Denied", "Expired"] as const;
export type ApprovalStatus = (typeof APPROVAL_STATUSES)[number];

export const VOICES = ["Approved", "Denied"] as const;

/** The request that waits for an approval. */
export const approvalSubjectSchema = z.discriminatedUnion("kind", [
  z.object({ kind: z.literal("transfer"), id: transferIdSchema }),
  z.object({ kind: z.literal("transaction"), id: transactionIdSchema }),
  z.object({ kind: z.literal("signature"), id: signatureIdSchema }),
  z.object({ kind: z.literal("change-request"), id: changeRequestIdSchema }),
]);
export type ApprovalSubject = Readonly<z.output<typeof approvalSubjectSchema>>;

/** One person's vote. Nobody votes twice; a vote counts in every group that the voter is in. */
export interface ApprovalVoice {
  readonly userId: UserId;
  readonly isServiceAccount: boolean;
  /** the long-lived token or session, and the application, by which it was cast: the vote no longer counts once they end */
  readonly tokenId?: TokenId | undefined;
  readonly appId?: ApplicationId | undefined;
  readonly value: (typeof VOICES)[number];
  readonly reason: string | undefined;
  /** ISO 8601 UTC */
  readonly date: string;
}

/**
 * A request that waits for people. Groups and evaluations are from the last evaluation: at the request, at a
 * vote, or at the release. Dates are ISO 8601 UTC.
 */
export interface Approval {
  readonly id: ApprovalId;
  readonly orgId: OrganisationId;
  readonly initiatorId: UserId;
  readonly activityKind: ActivityKind;
  readonly subject: ApprovalSubject;
  readonly status: ApprovalStatus;
  readonly groups: readonly RequestedGroup[];
  readonly evaluations: readonly PolicyEvaluation[];
  readonly decisions: readonly ApprovalVoice[];
  /** when it is rejected unless people settle it before; undefined: never */
  readonly expirationDate: string | undefined;
  readonly dateCreated: string;
  readonly dateUpdated: string;
  readonly dateResolved: string | undefined;
  /** when the waiting request was aborted */
  readonly dateWithdrawn: string | undefined;
}

export type ApprovalEvent =
  | { readonly kind: "Spoken"; readonly voice: ApprovalVoice; readonly people: PeopleBehind }
  | { readonly kind: "Expired"; readonly date: string }
  /** the waiting request was aborted */
  | { readonly kind: "Withdrawn"; readonly date: string };

/** Whether the vote is by the person who started the request, directly or through a machine that this person made. */
const isOfInitiator = (approval: Approval, voice: ApprovalVoice, people: PeopleBehind): boolean =>
  personBehind(people, voice.userId) === personBehind(people, approval.initiatorId);

/**
 * Whether an approval group lists a voter: as a user, or as a member of a user group at the moment of the evaluation. A
 * group that lists neither is open to everybody of the organisation.
 */
const isListed = ({ approvers }: RequestedGroup, voter: UserId, { memberships }: PeopleBehind): boolean => {
  const { userId, userGroupId } = approvers;
  if (userId === undefined && userGroupId === undefined) return true;
  const joined = memberships.get(voter);
  return userId?.in.includes(voter) === true || userGroupId?.in.some((id) => joined?.has(id)) === true;
};

/** Whether a voter may vote in a group at all, to approve or to deny. */
const mayTakePart = (
  approval: Approval,
  group: RequestedGroup,
  voice: ApprovalVoice,
  people: PeopleBehind,
): boolean => {
  const isInitiator = isOfInitiator(approval, voice, people);
  return (
    isListed(group, voice.userId, people) &&
    (!isInitiator || group.initiatorCanApprove === true) &&
    (!voice.isServiceAccount || group.serviceAccountsCanApprove === true)
  );
};

/** The approving votes that count: not those of people who have left, or may no longer approve. */
const standing = ({ decisions }: Approval, { gone }: PeopleBehind): readonly ApprovalVoice[] =>
  decisions.filter(({ value, userId }) => value === "Approved" && !gone.has(userId));

/** The people who approve for a group; each counts once, even if their machines vote too. */
const approversOf = (approval: Approval, group: RequestedGroup, people: PeopleBehind): ReadonlySet<UserId> =>
  new Set(
    standing(approval, people)
      .filter((voice) => mayTakePart(approval, group, voice, people))
      .map(({ userId }) => personBehind(people, userId)),
  );

const isApproved = (approval: Approval, people: PeopleBehind): boolean =>
  approval.groups.every((group) => approversOf(approval, group, people).size >= group.quorum);

/** The status of an approval. A denial or a withdrawal decides, since orchestrators cannot write these records. */
const standingOf = (approval: Approval): ApprovalStatus => {
  const isDenied = approval.decisions.some(({ value }) => value === "Denied");
  return isDenied || approval.dateWithdrawn !== undefined ? "Denied" : approval.status;
};

/**
 * Changes the state of an approval (wire interface, section F.7). Every group must reach its quorum, and one
 * denial ends it. The initiator may withdraw the request by a denial, but may approve it only in groups that
 * allow that. A machine and the person who made it count as one voter (INV-8). Votes of people who have left
 * or may no longer approve do not count.
 * @returns ApprovalSettled once it is settled or expired, ApprovalSpoken for a second vote of one person,
 * ApprovalNotAllowed for a person in none of the groups, or TooManyVoices
 */
export const decideApproval = (approval: Approval, event: ApprovalEvent): Result<Approval> => {
  const status = standingOf(approval);
  if (status !== "Pending") {
    return fail("ApprovalSettled", { approvalId: approval.id, status });
  }
  switch (event.kind) {
    case "Spoken":
      return spoken(approval, event.voice, event.people);
    case "Expired":
      return isOver(approval, event.date)
        ? ok(settled(approval, "Expired", event.date))
        : fail("ApprovalSettled", { approvalId: approval.id }, "The approval has not expired yet.");
    case "Withdrawn":
      // Denied without a denying vote: the wire interface has no status for a withdrawal
      return ok({ ...settled(approval, "Denied", event.date), dateWithdrawn: event.date });
  }
};

/** The largest number of approving votes of one approval: each new vote evaluates all of them again. */
export const MOST_VOICES = 1_000;

const isOver = ({ expirationDate }: Approval, date: string): boolean =>
  expirationDate !== undefined && Date.parse(date) >= Date.parse(expirationDate);

const settled = (approval: Approval, status: ApprovalStatus, date: string): Approval => ({
  ...approval,
  status,
  dateUpdated: date,
  dateResolved: date,
});

const spoken = (approval: Approval, voice: ApprovalVoice, people: PeopleBehind): Result<Approval> => {
  if (isOver(approval, voice.date)) {
    return fail("ApprovalSettled", { approvalId: approval.id, expirationDate: approval.expirationDate });
  }
  if (approval.decisions.some(({ userId }) => userId === voice.userId)) {
    return fail("ApprovalSpoken", { approvalId: approval.id, userId: voice.userId });
  }
  const takesPart = countsSomewhere(approval, voice, people);
  const takesBack = voice.value === "Denied" && isOfInitiator(approval, voice, people);
  if (!takesPart && !takesBack) {
    return fail("ApprovalNotAllowed", { approvalId: approval.id, userId: voice.userId });
  }
  if (voice.value === "Approved" && approval.decisions.length >= MOST_VOICES) {
    return fail("TooManyVoices", { approvalId: approval.id, most: MOST_VOICES });
  }
  const next = { ...approval, decisions: [...approval.decisions, voice], dateUpdated: voice.date };
  if (voice.value === "Denied") return ok(settled(next, "Denied", voice.date));
  return ok(isApproved(next, people) ? settled(next, "Approved", voice.date) : next);
};

/**
 * Updates an approval to the groups that its policies ask for now. A policy that was archived, or no longer
 * asks people, keeps its earlier groups. So a person who was removed from a group no longer decides, and a
 * person who was added may.
 */
export const askedNow = (approval: Approval, policies: readonly Policy[]): Approval => {
  const asked = [...new Set(approval.groups.map(({ policyId }) => policyId))];
  return { ...approval, groups: asked.flatMap((policyId) => groupsNow(approval, policyId, policies)) };
};

const groupsNow = (
  { groups }: Approval,
  policyId: PolicyId,
  policies: readonly Policy[],
): readonly RequestedGroup[] => {
  const policy = policies.find(({ id, status }) => id === policyId && status === "Active");
  return policy?.body.action.kind === "RequestApproval"
    ? policy.body.action.approvalGroups.map((group) => ({ ...group, policyId }))
    : groups.filter((group) => group.policyId === policyId);
};

/** Further approvals that policies require at the release of a request, after its first approvers approved. */
export interface FurtherAsking {
  /** the policies' evaluations at the release, which replace the earlier ones */
  readonly evaluations: readonly PolicyEvaluation[];
  readonly groups: readonly RequestedGroup[];
  /** minutes; undefined keeps the approval's expiration */
  readonly timeoutMinutes: number | undefined;
  /** ISO 8601 UTC */
  readonly date: string;
}

/**
 * Asks further groups about a request that was about to be released. Earlier votes count in these groups too.
 * @returns the approval: still approved if the earlier votes are enough, otherwise Pending again
 */
export const askFurther = (
  approval: Approval,
  { evaluations, groups, timeoutMinutes, date }: FurtherAsking,
  people: PeopleBehind,
): Approval => {
  const isOld = ({ policyId }: PolicyEvaluation): boolean =>
    !evaluations.some((evaluation) => evaluation.policyId === policyId);
  const asked = {
    ...approval,
    groups: [...approval.groups, ...groups],
    evaluations: [...approval.evaluations.filter(isOld), ...evaluations],
  };
  if (isApproved(asked, people)) return asked;
  const until =
    timeoutMinutes === undefined
      ? undefined
      : new Date(Date.parse(date) + timeoutMinutes * MINUTE_MS).toISOString();
  return {
    ...asked,
    status: "Pending",
    dateUpdated: date,
    dateResolved: undefined,
    expirationDate: earlier(approval.expirationDate, until),
  };
};

const earlier = (a: string | undefined, b: string | undefined): string | undefined =>
  a === undefined || b === undefined ? (a ?? b) : Date.parse(a) < Date.parse(b) ? a : b;

/** Whether a vote counts in a group of an approval. */
const countsSomewhere = (approval: Approval, voice: ApprovalVoice, people: PeopleBehind): boolean =>
  approval.groups.some((group) => mayTakePart(approval, group, voice, people));

/**
 * The record of people's approval, which signers receive with the request (INV-8); undefined if it is not approved. It
 * names the people whose votes counted: somebody who voted and was taken out of every group since is not among them.
 */
export const decisionOf = (approval: Approval, people: PeopleBehind): PolicyDecision | undefined =>
  standingOf(approval) !== "Approved" || approval.dateResolved === undefined
    ? undefined
    : {
        outcome: "Allowed",
        policies: approval.evaluations.map(({ policyId }) => policyId),
        date: approval.dateResolved,
        approvalId: approval.id,
        approvers: standing(approval, people)
          .filter((voice) => countsSomewhere(approval, voice, people))
          .map(({ userId }) => userId),
      };

/** The reason for which a request was rejected, from its approval. */
export const rejectionOf = (approval: Approval): string => {
  const denial = approval.decisions.find(({ value }) => value === "Denied");
  if (denial === undefined) return "nobody approved it in time";
  return `denied by ${denial.userId}${denial.reason === undefined ? "" : `: ${denial.reason}`}`;
};

/** The Approval in API responses: the fields of older and newer client libraries (wire interface, section F.7). */
export const approvalViewSchema = z.object({
  id: z.string(),
  initiatorId: z.string(),
  activity: z.record(z.string(), z.unknown()),
  status: z.enum(APPROVAL_STATUSES),
  expirationDate: z.string().optional(),
  dateCreated: z.string(),
  dateUpdated: z.string(),
  dateResolved: z.string().optional(),
  policyEvaluations: z
    .array(
      z.object({
        policyId: z.string(),
        triggered: z.boolean(),
        reason: z.string(),
        context: z.record(z.string(), z.unknown()).optional(),
      }),
    )
    .max(MOST_POLICIES)
    .readonly(),
  evaluatedPolicies: z
    .array(
      z.object({
        policyId: z.string(),
        triggerStatus: z.enum(["Triggered", "Skipped"]),
        reason: z.string(),
      }),
    )
    .max(MOST_POLICIES)
    .readonly(),
  approvalGroups: z
    .array(approvalGroupSchema.safeExtend({ policyId: z.string() }))
    .max(MOST_POLICIES * MOST_GROUPS)
    .readonly(),
  decisions: z
    .array(
      z.object({
        userId: z.string(),
        value: z.enum(VOICES),
        reason: z.string().nullable(),
        date: z.string(),
        dateActioned: z.string(),
      }),
    )
    // all approving votes, and a denial as the last
    .max(MOST_VOICES + 1)
    .readonly(),
});
export type ApprovalView = z.infer<typeof approvalViewSchema>;

/** @param request the waiting request as the API shows it, under its own name: `{ transferRequest }` */
export const approvalView = (
  approval: Approval,
  request: Readonly<Record<string, unknown>>,
): ApprovalView => ({
  id: approval.id,
  initiatorId: approval.initiatorId,
  activity: { kind: approval.activityKind, ...request },
  status: standingOf(approval),
  ...(approval.expirationDate === undefined ? {} : { expirationDate: approval.expirationDate }),
  dateCreated: approval.dateCreated,
  dateUpdated: approval.dateUpdated,
  ...(approval.dateResolved === undefined ? {} : { dateResolved: approval.dateResolved }),
  policyEvaluations: approval.evaluations,
  evaluatedPolicies: approval.evaluations.map(({ policyId, triggered, reason }) => ({
    policyId,
    triggerStatus: triggered ? ("Triggered" as const) : ("Skipped" as const),
    reason,
  })),
  approvalGroups: approval.groups,
  decisions: approval.decisions.map(({ userId, value, reason, date }) => ({
    userId,
    value,
    reason: reason ?? null,
    date,
    dateActioned: date,
  })),
});
