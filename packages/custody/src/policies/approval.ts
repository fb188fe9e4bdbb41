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

/** One person's vote. Nobody speaks twice, and one voice counts for every group that its owner is in. */
export interface ApprovalVoice {
  readonly userId: UserId;
  readonly isServiceAccount: boolean;
  /** the long-lived token or session, and the application, that it came with: it ends with them */
  readonly tokenId?: TokenId | undefined;
  readonly appId?: ApplicationId | undefined;
  readonly value: (typeof VOICES)[number];
  readonly reason: string | undefined;
  /** ISO 8601 UTC */
  readonly date: string;
}

/**
 * A request that waits for people. Groups and evaluations are those of the last judgement: at the request, at a vote, or at the
 * release. Dates are ISO 8601 UTC.
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
  /** when it is rejected if nobody has settled it; undefined: never */
  readonly expirationDate: string | undefined;
  readonly dateCreated: string;
  readonly dateUpdated: string;
  readonly dateResolved: string | undefined;
  /** when the request that waits for it was aborted */
  readonly dateWithdrawn: string | undefined;
}

export type ApprovalEvent =
  | { readonly kind: "Spoken"; readonly voice: ApprovalVoice; readonly people: PeopleBehind }
  | { readonly kind: "Expired"; readonly date: string }
  /** the request that waits for it was aborted */
  | { readonly kind: "Withdrawn"; readonly date: string };

/** Whether a voice is of the person who started the request, by themselves or by a machine that they made. */
const isOfInitiator = (approval: Approval, voice: ApprovalVoice, people: PeopleBehind): boolean =>
  personBehind(people, voice.userId) === personBehind(people, approval.initiatorId);

/** Whether a voice may take part in a group at all: as approver, and with a denial alike. */
const mayTakePart = (
  approval: Approval,
  group: RequestedGroup,
  voice: ApprovalVoice,
  people: PeopleBehind,
): boolean => {
  const listed = group.approvers.userId?.in.includes(voice.userId) ?? true;
  const isInitiator = isOfInitiator(approval, voice, people);
  return (
    listed &&
    (!isInitiator || group.initiatorCanApprove === true) &&
    (!voice.isServiceAccount || group.serviceAccountsCanApprove === true)
  );
};

/** The voices for a request that count: not those of people who have left, or may approve no more. */
const standing = ({ decisions }: Approval, { gone }: PeopleBehind): readonly ApprovalVoice[] =>
  decisions.filter(({ value, userId }) => value === "Approved" && !gone.has(userId));

/** The people who approve for a group: one counts once, also where their machines vote too. */
const approversOf = (approval: Approval, group: RequestedGroup, people: PeopleBehind): ReadonlySet<UserId> =>
  new Set(
    standing(approval, people)
      .filter((voice) => mayTakePart(approval, group, voice, people))
      .map(({ userId }) => personBehind(people, userId)),
  );

const isApproved = (approval: Approval, people: PeopleBehind): boolean =>
  approval.groups.every((group) => approversOf(approval, group, people).size >= group.quorum);

/** Where an approval stands: a denial and a withdrawal are records that orchestrators cannot write, so they decide. */
const standingOf = (approval: Approval): ApprovalStatus => {
  const isDenied = approval.decisions.some(({ value }) => value === "Denied");
  return isDenied || approval.dateWithdrawn !== undefined ? "Denied" : approval.status;
};

/**
 * Moves an approval on (wire interface, section F.7): every group must reach its quorum, one denial ends it, the initiator
 * may take the request back by denying it but approves it only in groups that allow that. A machine and the person who made
 * it are one voice (INV-8); who has left since they spoke, or may approve no more, counts no more.
 * @returns ApprovalSettled once it is over or its time is, ApprovalSpoken for a second voice of one person,
 *   ApprovalNotAllowed for somebody who is in none of the groups, or TooManyVoices
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
      // by no voice: the wire has no other word for it
      return ok({ ...settled(approval, "Denied", event.date), dateWithdrawn: event.date });
  }
};

/** Voices of one approval that do not deny it: each is judged anew with the next. */
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
  const takesPart = approval.groups.some((group) => mayTakePart(approval, group, voice, people));
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
 * An approval as the policies ask for it now: of each that is in force still, and asks people, the groups are those that it has
 * now. One that was archived, or asks nobody any more, goes on asking whom it asked. So who was taken out of a group decides no
 * more, and who was added may.
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

/** The approvals that policies ask for at the release of a request that its first approvers have approved. */
export interface FurtherAsking {
  /** the policies' decisions at the release, each the last word from now on */
  readonly evaluations: readonly PolicyEvaluation[];
  readonly groups: readonly RequestedGroup[];
  /** minutes; undefined waits as long as the approval does already */
  readonly timeoutMinutes: number | undefined;
  /** ISO 8601 UTC */
  readonly date: string;
}

/**
 * Asks further groups about a request that was about to be released. The voices that there are count in these as well.
 * @returns the approval: approved still if those voices are enough, else Pending again
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

/**
 * The record of a request that people approved, which goes to the signers with it (INV-8); undefined unless
 * they did.
 */
export const decisionOf = (approval: Approval, people: PeopleBehind): PolicyDecision | undefined =>
  standingOf(approval) !== "Approved" || approval.dateResolved === undefined
    ? undefined
    : {
        outcome: "Allowed",
        policies: approval.evaluations.map(({ policyId }) => policyId),
        date: approval.dateResolved,
        approvalId: approval.id,
        approvers: standing(approval, people).map(({ userId }) => userId),
      };

/** Why a request was rejected, from the approval that was not given. */
export const rejectionOf = (approval: Approval): string => {
  const denial = approval.decisions.find(({ value }) => value === "Denied");
  if (denial === undefined) return "nobody approved it in time";
  return `denied by ${denial.userId}${denial.reason === undefined ? "" : `: ${denial.reason}`}`;
};

/** The Approval that the API answers: the members of both generations of client libraries (wire interface, section F.7). */
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
    // the last of them is a denial
    .max(MOST_VOICES + 1)
    .readonly(),
});
export type ApprovalView = z.infer<typeof approvalViewSchema>;

/** @param request the request that waits, as the API shows it, under its own name: `{ transferRequest }` */
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
