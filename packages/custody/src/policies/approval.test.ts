import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  approvalIdSchema,
  organisationIdSchema,
  policyIdSchema,
  transferIdSchema,
  type UserGroupId,
  type UserId,
  userGroupIdSchema,
  userIdSchema,
} from "../identifiers.ts";
import {
  type Approval,
  type ApprovalVoice,
  approvalView,
  askedNow,
  askFurther,
  decideApproval,
  decisionOf,
  MOST_VOICES,
  rejectionOf,
} from "./approval.ts";
import type { PeopleBehind } from "./people-behind.ts";
import type { Policy } from "./policy.ts";
import { type PolicyBody, policyBodySchema } from "./policy-body.ts";
import { policyDecisionSchema } from "./policy-decision.ts";

const DATE = "2026-01-01T00:00:00.000Z";
const LATER = "2026-01-01T01:00:00.000Z";
const user = (letter: string) => userIdSchema.parse(`us-aaaaa-bbbbb-${letter.repeat(16)}`);
const policyId = policyIdSchema.parse(`plc-aaaaa-bbbbb-${"p".repeat(16)}`);
const INITIATOR = user("i");
const ALL_HERE: PeopleBehind = { makers: new Map(), gone: new Set(), memberships: new Map() };

type Group = Approval["groups"][number];
const group = (quorum: number, letters?: string, flags: Partial<Group> = {}): Group => ({
  policyId,
  quorum,
  approvers: letters === undefined ? {} : { userId: { in: Array.from(letters, user) } },
  ...flags,
});
const pending = (...groups: readonly Group[]): Approval => ({
  id: approvalIdSchema.parse(`ap-aaaaa-bbbbb-${"a".repeat(16)}`),
  orgId: organisationIdSchema.parse(`or-aaaaa-bbbbb-${"o".repeat(16)}`),
  initiatorId: INITIATOR,
  activityKind: "Wallets:Sign",
  subject: { kind: "transfer", id: transferIdSchema.parse(`xfr-aaaaa-bbbbb-${"x".repeat(16)}`) },
  status: "Pending",
  groups,
  evaluations: [
    { policyId, triggered: true, reason: "always" },
    { policyId, triggered: false, reason: "not this time" },
  ],
  decisions: [],
  expirationDate: LATER,
  dateCreated: DATE,
  dateUpdated: DATE,
  dateResolved: undefined,
  dateWithdrawn: undefined,
});
const voice = (letter: string, change: Partial<ApprovalVoice> = {}): ApprovalVoice => ({
  userId: user(letter),
  isServiceAccount: false,
  value: "Approved",
  reason: undefined,
  date: DATE,
  ...change,
});
/** The approval after these votes, without the refused ones; and the status or error of the last vote. */
const after = (approval: Approval, ...voices: readonly ApprovalVoice[]) =>
  afterAmong(ALL_HERE, approval, ...voices);
const afterAmong = (people: PeopleBehind, approval: Approval, ...voices: readonly ApprovalVoice[]) =>
  voices.reduce(
    ({ approval: now }, next) => {
      const decided = decideApproval(now, { kind: "Spoken", voice: next, people });
      return decided.ok
        ? { approval: decided.value, last: decided.value.status }
        : { approval: now, last: decided.problem.code };
    },
    { approval, last: "" },
  );

it("K8 an approval takes a limited number of approving votes, and one denial beyond them", () => {
  const decisions = Array.from({ length: MOST_VOICES - 1 }, (_, at) =>
    voice("a", { userId: userIdSchema.parse(`us-aaaaa-ccccc-${String(at).padStart(16, "0")}`) }),
  );
  const spoken = { ...pending(group(1), group(1, "z")), decisions };
  expect(after(spoken, voice("a")).last).toBe("Pending");
  expect(after(spoken, voice("a"), voice("z")).last).toBe("TooManyVoices");
  expect(after(spoken, voice("a"), voice("b", { value: "Denied" })).last).toBe("Denied");
});

describe("INV-8 row 16: one person is one voice, by themselves and by the machines that they made:", () => {
  const machineOf = (maker: string, ...machines: readonly string[]): PeopleBehind => ({
    makers: new Map(machines.map((machine) => [user(machine), user(maker)])),
    gone: new Set(),
    memberships: new Map(),
  });
  const open = group(1, undefined, { serviceAccountsCanApprove: true });
  const machine = (letter: string) => voice(letter, { isServiceAccount: true });

  it("whose machine started a request does not approve it, unless initiators may", () => {
    const people = machineOf("a", "i");
    expect(afterAmong(people, pending(open), voice("a")).last).toBe("ApprovalNotAllowed");
    expect(afterAmong(people, pending(open), voice("b")).last).toBe("Approved");
    const lenient = { ...open, initiatorCanApprove: true };
    expect(afterAmong(people, pending(lenient), voice("a")).last).toBe("Approved");
  });

  it("whose machine started a request takes it back", () => {
    const denial = voice("a", { value: "Denied" });
    expect(afterAmong(machineOf("a", "i"), pending(group(1, "b")), denial).last).toBe("Denied");
  });

  it("a request is not approved by a machine that its initiator made, or by two of one maker", () => {
    expect(afterAmong(machineOf("i", "m"), pending(open), machine("m")).last).toBe("ApprovalNotAllowed");
    const siblings = machineOf("a", "i", "m");
    expect(afterAmong(siblings, pending(open), machine("m")).last).toBe("ApprovalNotAllowed");
  });

  it("a person and their machine are one of the two that a group asks for", () => {
    const both = group(2, undefined, { serviceAccountsCanApprove: true });
    const people = machineOf("a", "m");
    expect(afterAmong(people, pending(both), machine("m"), voice("a")).last).toBe("Pending");
    expect(afterAmong(people, pending(both), machine("m"), voice("a"), voice("b")).last).toBe("Approved");
  });
});

describe("row 16: the approval of somebody who has left since", () => {
  const people: PeopleBehind = { makers: new Map(), gone: new Set([user("a")]), memberships: new Map() };

  it("does not count, and is not on record as one that did", () => {
    const { approval, last } = afterAmong(people, pending(group(2, "abc")), voice("a"), voice("b"));
    expect(last).toBe("Pending");
    const settled = afterAmong(people, approval, voice("c")).approval;
    expect(decisionOf(settled, people)?.approvers).toEqual([user("b"), user("c")]);
  });
});

describe("an approval", () => {
  it.each([
    ["of one group, with its quorum", [group(2, "abc")], [voice("a"), voice("b")], "Approved"],
    ["of one group, short of it", [group(2, "abc")], [voice("a")], "Pending"],
    ["of everybody, by anybody", [group(1)], [voice("z")], "Approved"],
    ["of two groups, when one has its quorum", [group(1, "a"), group(1, "b")], [voice("a")], "Pending"],
    ["of two groups, when each has", [group(1, "a"), group(1, "b")], [voice("a"), voice("b")], "Approved"],
    ["of two groups, by one who is in both", [group(1, "a"), group(1, "ab")], [voice("a")], "Approved"],
    ["denied by one of many", [group(3, "abc")], [voice("a"), voice("b", { value: "Denied" })], "Denied"],
    ["by a stranger", [group(1, "a")], [voice("s")], "ApprovalNotAllowed"],
    ["denied by a stranger", [group(1, "a")], [voice("s", { value: "Denied" })], "ApprovalNotAllowed"],
    ["twice by one person", [group(2, "ab")], [voice("a"), voice("a")], "ApprovalSpoken"],
    [
      "by one person who thinks again",
      [group(2, "ab")],
      [voice("a"), voice("a", { value: "Denied" })],
      "ApprovalSpoken",
    ],
    ["by a service account", [group(1)], [voice("a", { isServiceAccount: true })], "ApprovalNotAllowed"],
    [
      "by a service account where it may",
      [group(1, undefined, { serviceAccountsCanApprove: true })],
      [voice("a", { isServiceAccount: true })],
      "Approved",
    ],
    [
      "by the initiator where it may",
      [group(1, "i", { initiatorCanApprove: true })],
      [voice("i")],
      "Approved",
    ],
    [
      "by the initiator, in one of two groups",
      [group(1, "i", { initiatorCanApprove: true }), group(1, "i")],
      [voice("i")],
      "Pending",
    ],
    ["taken back by the initiator", [group(1, "a")], [voice("i", { value: "Denied" })], "Denied"],
    ["after it is over", [group(1)], [voice("a"), voice("b")], "ApprovalSettled"],
    ["after its time", [group(1)], [voice("a", { date: LATER })], "ApprovalSettled"],
  ])("%s", (_, groups, voices, outcome) => {
    expect(after(pending(...groups), ...voices).last).toBe(outcome);
  });

  it.each([
    ["INV-8 the initiator cannot approve", group(1)],
    ["INV-8 the initiator cannot approve, not even as one who is listed", group(1, "i")],
  ])("%s", (_, only) => {
    expect(after(pending(only), voice("i")).last).toBe("ApprovalNotAllowed");
  });

  it("expires at its date and not before, and only once", () => {
    const expire = (approval: Approval, date: string) => decideApproval(approval, { kind: "Expired", date });
    const expired = expire(pending(group(1)), LATER);
    expect(expire(pending(group(1)), DATE).ok).toBe(false);
    expect(expired.ok && [expired.value.status, expired.value.dateResolved]).toEqual(["Expired", LATER]);
    expect(expired.ok && expire(expired.value, LATER).ok).toBe(false);
    expect(expire({ ...pending(group(1)), expirationDate: undefined }, LATER).ok).toBe(false);
  });

  it("ends without a voice when what waits for it is aborted, and only once", () => {
    const withdraw = (approval: Approval) => decideApproval(approval, { kind: "Withdrawn", date: LATER });
    const withdrawn = withdraw(pending(group(1)));
    expect(withdrawn.ok && [withdrawn.value.status, withdrawn.value.decisions]).toEqual(["Denied", []]);
    expect(withdrawn.ok && withdraw(withdrawn.value).ok).toBe(false);
    expect(withdrawn.ok && decisionOf(withdrawn.value, ALL_HERE)).toBe(undefined);
  });

  it("INV-8 puts its policies and approvers on record once it is approved, and nothing before", () => {
    const { approval } = after(pending(group(2, "ab")), voice("a"), voice("b"));
    expect(policyDecisionSchema.parse(decisionOf(approval, ALL_HERE))).toEqual({
      outcome: "Allowed",
      policies: [policyId, policyId],
      date: DATE,
      approvalId: approval.id,
      approvers: [user("a"), user("b")],
    });
    const others = [
      after(pending(group(2, "ab")), voice("a")),
      after(pending(group(1)), voice("a", { value: "Denied" })),
    ];
    expect(others.map(({ approval: other }) => decisionOf(other, ALL_HERE))).toEqual([undefined, undefined]);
  });

  it("INV-8 a record of an approval without approvers is no decision", () => {
    const plain = { outcome: "Allowed", policies: [], date: DATE };
    const approvalId = pending(group(1)).id;
    expect(
      [
        plain,
        { ...plain, approvalId },
        { ...plain, approvers: [user("a")] },
        { ...plain, approvalId, approvers: [] },
      ].map((decision) => policyDecisionSchema.safeParse(decision).success),
    ).toEqual([true, false, false, false]);
  });

  it("says why what waits for it is rejected", () => {
    const denied = (reason?: string) =>
      rejectionOf(after(pending(group(1)), voice("a", { value: "Denied", reason })).approval);
    expect([denied(), denied("too much"), rejectionOf({ ...pending(group(1)), status: "Expired" })]).toEqual([
      `denied by ${user("a")}`,
      `denied by ${user("a")}: too much`,
      "nobody approved it in time",
    ]);
  });

  it("shows the members of both generations", () => {
    const view = approvalView(after(pending(group(2)), voice("a")).approval, {
      transferRequest: { id: "xfr-1" },
    });
    expect(view).toMatchObject({
      activity: { kind: "Wallets:Sign", transferRequest: { id: "xfr-1" } },
      policyEvaluations: [{ triggered: true }, { triggered: false }],
      evaluatedPolicies: [{ triggerStatus: "Triggered" }, { triggerStatus: "Skipped" }],
      decisions: [{ userId: user("a"), value: "Approved", reason: null, date: DATE, dateActioned: DATE }],
    });
  });
});

describe("INV-8 with any groups and any voters,", () => {
  const letters = "abci";
  const anyGroup = fc
    .record({
      quorum: fc.integer({ min: 1, max: 3 }),
      who: fc.option(fc.subarray([...letters], { minLength: 1 }), { nil: undefined }),
      initiatorCanApprove: fc.boolean(),
      serviceAccountsCanApprove: fc.boolean(),
    })
    .map(({ quorum, who, ...flags }) => group(quorum, who?.join(""), flags));
  // c is a service account
  const anyVoice = fc
    .record({ letter: fc.constantFrom(...letters), denies: fc.boolean() })
    .map(({ letter, denies }) =>
      voice(letter, { value: denies ? "Denied" : "Approved", isServiceAccount: letter === "c" }),
    );
  const anyRun = fc.tuple(
    fc.array(anyGroup, { minLength: 1, maxLength: 3 }),
    fc.array(anyVoice, { maxLength: 8 }),
  );

  it("nobody counts twice, and approved means that every group has its quorum of those who may", () => {
    fc.assert(
      fc.property(anyRun, ([groups, voices]) => {
        const { approval } = after(pending(...groups), ...voices);
        const speakers = approval.decisions.map(({ userId }) => userId);
        expect(new Set(speakers).size).toBe(speakers.length);
        const reached = groups.every((each) => {
          const entitled = approval.decisions
            .filter(({ value }) => value === "Approved")
            .filter(({ userId }) => each.approvers.userId?.in.includes(userId) ?? true)
            .filter(({ userId }) => userId !== INITIATOR || each.initiatorCanApprove)
            .filter(({ isServiceAccount }) => !isServiceAccount || each.serviceAccountsCanApprove);
          return entitled.length >= each.quorum;
        });
        if (approval.status === "Approved") expect(reached).toBe(true);
        if (approval.status === "Pending") expect(reached).toBe(false);
      }),
    );
  });

  it("one denial ends it: what follows changes nothing", () => {
    fc.assert(
      fc.property(anyRun, fc.array(anyVoice, { maxLength: 3 }), ([groups, voices], more) => {
        const { approval } = after(pending(...groups), ...voices);
        const denied = approval.decisions.some(({ value }) => value === "Denied");
        expect(denied).toBe(approval.status === "Denied");
        if (approval.status !== "Pending") expect(after(approval, ...more).approval).toEqual(approval);
      }),
    );
  });

  it("the initiator alone approves nothing unless a group allows it", () => {
    fc.assert(
      fc.property(fc.array(anyGroup, { minLength: 1, maxLength: 3 }), (groups) => {
        const closed = groups.map((each) => ({ ...each, initiatorCanApprove: false }));
        expect(after(pending(...closed), voice("i")).approval.status).toBe("Pending");
      }),
    );
  });
});

describe("whom an approval asks", () => {
  const body = (action: unknown): PolicyBody =>
    policyBodySchema.parse({
      name: "test",
      activityKind: "Wallets:Sign",
      rule: { kind: "AlwaysTrigger", configuration: {} },
      action,
    });
  const policy = (of: typeof policyId, status: Policy["status"], action: unknown): Policy => ({
    id: of,
    orgId: pending().orgId,
    status,
    body: body(action),
    dateCreated: DATE,
    dateUpdated: DATE,
  });
  const asks = (quorum: number, letters: string) => ({
    kind: "RequestApproval",
    approvalGroups: [{ quorum, approvers: { userId: { in: Array.from(letters, user) } } }],
  });
  const asked = pending(group(1, "a"));

  it.each<[string, readonly Policy[], number, string]>([
    ["is what a policy in force says now", [policy(policyId, "Active", asks(2, "bc"))], 2, "bc"],
    ["stays when the policy was archived", [policy(policyId, "Archived", asks(2, "bc"))], 1, "a"],
    ["stays when the policy is gone", [], 1, "a"],
    [
      "stays when the policy asks nobody any more",
      [policy(policyId, "Active", { kind: "NoAction" })],
      1,
      "a",
    ],
  ])("%s", (_, policies, quorum, letters) => {
    expect(askedNow(asked, policies).groups).toMatchObject([
      { policyId, quorum, approvers: { userId: { in: Array.from(letters, user) } } },
    ]);
  });

  it("row 16: INV-8 grows at the release, and is over when those who spoke are enough", () => {
    const other = policyIdSchema.parse(`plc-aaaaa-bbbbb-${"q".repeat(16)}`);
    const approved = after(asked, voice("a")).approval;
    expect(approved.status).toBe("Approved");
    const further = (letters: string, timeoutMinutes?: number) =>
      askFurther(
        approved,
        {
          evaluations: [evaluation],
          groups: [{ ...group(1, letters), policyId: other }],
          timeoutMinutes,
          date: DATE,
        },
        ALL_HERE,
      );
    const evaluation = { policyId: other, triggered: true, reason: "always" };
    expect(further("ab")).toMatchObject({ status: "Approved" });
    expect(further("ab").evaluations).toContain(evaluation);
    expect(further("b")).toMatchObject({ status: "Pending", dateResolved: undefined, expirationDate: LATER });
    expect(further("b", 1).expirationDate).toBe("2026-01-01T00:01:00.000Z");
    expect(further("b", 600).expirationDate).toBe(LATER);
    expect(after(further("b"), voice("b")).last).toBe("Approved");
  });
});

describe("an approval group with user groups", () => {
  const userGroup = (letter: string) => userGroupIdSchema.parse(`ug-aaaaa-bbbbb-${letter.repeat(16)}`);
  const members = (groups: Readonly<Record<string, string>>): PeopleBehind => {
    const memberships = new Map<UserId, Set<UserGroupId>>();
    for (const [letter, people] of Object.entries(groups))
      for (const person of people) {
        const joined = memberships.get(user(person)) ?? new Set();
        memberships.set(user(person), joined.add(userGroup(letter)));
      }
    return { ...ALL_HERE, memberships };
  };
  const asksGroups = (
    quorum: number,
    letters: string,
    users?: string,
    flags: Partial<Group> = {},
  ): Group => ({
    ...group(quorum, users, flags),
    approvers: {
      ...(users === undefined ? {} : { userId: { in: Array.from(users, user) } }),
      userGroupId: { in: Array.from(letters, userGroup) },
    },
  });
  const approversIn = (approval: Approval, people: PeopleBehind) => decisionOf(approval, people)?.approvers;

  it("INV-8 is decided by their members, and by nobody else", () => {
    const people = members({ g: "ab", h: "c" });
    const asked = pending(asksGroups(1, "g"));
    expect(afterAmong(people, asked, voice("a")).last).toBe("Approved");
    for (const other of ["c", "d"])
      expect(afterAmong(people, asked, voice(other)).last).toBe("ApprovalNotAllowed");
    expect(afterAmong(people, asked, voice("d", { value: "Denied" })).last).toBe("ApprovalNotAllowed");
    expect(afterAmong(people, pending(asksGroups(1, "gh")), voice("c")).last).toBe("Approved");
  });

  it("INV-8 is decided by nobody where no group has a member, or none is known", () => {
    for (const people of [members({}), members({ g: "" }), members({ h: "a" })])
      expect(afterAmong(people, pending(asksGroups(1, "g")), voice("a")).last).toBe("ApprovalNotAllowed");
  });

  it("is decided by the users that it lists too, each of whom counts once", () => {
    const people = members({ g: "ab", h: "a" });
    const asked = pending(asksGroups(2, "gh", "ad"));
    const first = afterAmong(people, asked, voice("a"));
    expect(first.last).toBe("Pending");
    expect(afterAmong(people, first.approval, voice("d")).last).toBe("Approved");
    expect(afterAmong(people, first.approval, voice("b")).last).toBe("Approved");
    expect(afterAmong(people, first.approval, voice("a")).last).toBe("ApprovalSpoken");
  });

  it("INV-8 does not count the vote of somebody who left since, and counts again who came back", () => {
    const voted = afterAmong(members({ g: "abc" }), pending(asksGroups(2, "g")), voice("a")).approval;
    const left = members({ g: "bcd" });
    const second = afterAmong(left, voted, voice("b"));
    expect(second.last).toBe("Pending");
    const third = afterAmong(left, second.approval, voice("d"));
    expect(third.last).toBe("Approved");
    expect(approversIn(third.approval, left)).toEqual([user("b"), user("d")]);
    const back = members({ g: "abc" });
    const approved = afterAmong(back, voted, voice("b"));
    expect(approved.last).toBe("Approved");
    expect(approversIn(approved.approval, back)).toEqual([user("a"), user("b")]);
  });

  it("INV-8 is not approved by who asked, member or not, nor by a machine that they made", () => {
    const people = { ...members({ g: "iab" }), makers: new Map([[user("m"), INITIATOR]]) };
    const asked = pending(asksGroups(1, "g", "m", { serviceAccountsCanApprove: true }));
    for (const [letter, change] of [
      ["i", {}],
      ["m", { isServiceAccount: true }],
    ] as const)
      expect(afterAmong(people, asked, voice(letter, change)).last).toBe("ApprovalNotAllowed");
    const lenient = pending(asksGroups(1, "g", undefined, { initiatorCanApprove: true }));
    expect(afterAmong(people, lenient, voice("i")).last).toBe("Approved");
  });

  it("INV-8 does not count members who were deactivated or archived", () => {
    const voted = afterAmong(members({ g: "abc" }), pending(asksGroups(2, "g")), voice("a")).approval;
    const people = { ...members({ g: "abc" }), gone: new Set([user("a")]) };
    expect(afterAmong(people, voted, voice("b")).last).toBe("Pending");
  });

  it("INV-8 has decisions that name at least the quorum of every group, and only its people of that moment", () => {
    const letters = "abcdef";
    const subset = fc.subarray([...letters]).map((chosen) => chosen.join(""));
    const arbitrary = fc.record({
      before: fc.record({ g: subset, h: subset }),
      after: fc.record({ g: subset, h: subset }),
      users: fc.option(
        subset.filter((text) => text !== ""),
        { nil: undefined },
      ),
      quorum: fc.integer({ min: 1, max: 3 }),
      votes: fc.shuffledSubarray([...letters]),
    });
    fc.assert(
      fc.property(arbitrary, ({ before, after: now, users, quorum, votes }) => {
        const asked = pending(asksGroups(quorum, "gh", users));
        const half = Math.floor(votes.length / 2);
        const early = afterAmong(members(before), asked, ...votes.slice(0, half).map((one) => voice(one)));
        if (early.approval.status !== "Pending") return;
        const people = members(now);
        const { approval } = afterAmong(
          people,
          early.approval,
          ...votes.slice(half).map((one) => voice(one)),
        );
        if (approval.status !== "Approved") return;
        const named = approversIn(approval, people) ?? [];
        const allowed = new Set([...now.g, ...now.h, ...(users ?? "")].map(user));
        expect(named.length).toBeGreaterThanOrEqual(quorum);
        expect(named.filter((id) => !allowed.has(id))).toEqual([]);
      }),
    );
  });
});
