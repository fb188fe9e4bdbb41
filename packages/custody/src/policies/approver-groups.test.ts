import { expect, it } from "vitest";
import { userGroupIdSchema, userIdSchema } from "../identifiers.ts";
import { unreachableQuorums, userGroupsOf } from "./approver-groups.ts";
import { type PolicyBody, policyBodySchema } from "./policy-body.ts";

const user = (letter: string) => userIdSchema.parse(`us-aaaaa-bbbbb-${letter.repeat(16)}`);
const userGroup = (letter: string) => userGroupIdSchema.parse(`ug-aaaaa-bbbbb-${letter.repeat(16)}`);
const group = (quorum: number, groups?: string, users?: string) => ({
  quorum,
  approvers: {
    ...(users === undefined ? {} : { userId: { in: Array.from(users, user) } }),
    ...(groups === undefined ? {} : { userGroupId: { in: Array.from(groups, userGroup) } }),
  },
});
const asks = (...approvalGroups: readonly unknown[]): PolicyBody =>
  policyBodySchema.parse({
    name: "test",
    activityKind: "Wallets:Sign",
    rule: { kind: "AlwaysTrigger" },
    action: { kind: "RequestApproval", approvalGroups },
  });
const MEMBERS = new Map([
  [userGroup("g"), new Set(Array.from("abc", user))],
  [userGroup("h"), new Set(Array.from("cd", user))],
]);

it.each([
  ["as many members as the quorum", group(3, "g"), true],
  ["fewer members", group(4, "g"), false],
  ["members of two groups, each counted once", group(4, "gh"), true],
  ["fewer than that", group(5, "gh"), false],
  ["listed users beside them, each counted once", group(4, "g", "ae"), true],
  ["fewer than these", group(5, "g", "ae"), false],
  ["listed users alone beside an unknown group", group(2, "x", "ae"), true],
  ["an unknown group", group(1, "x"), false],
  ["no user group", group(2, undefined, "ae"), true],
  ["everybody", group(9), true],
])("INV-5 the quorum of an approval group with %s: %o is reachable: %s", (_, asked, isReachable) => {
  expect(unreachableQuorums(asks(asked), MEMBERS)).toEqual(isReachable ? [] : [asked]);
});

it("every unreachable group is found, and every user group once", () => {
  const body = asks(group(1, "g"), group(4, "hg", "a"), group(3, "h"), group(1));
  expect(unreachableQuorums(body, MEMBERS)).toEqual([group(3, "h")]);
  expect(userGroupsOf(body)).toEqual([userGroup("g"), userGroup("h")]);
  const blocking = policyBodySchema.parse({ ...body, action: { kind: "Block" } });
  expect([userGroupsOf(blocking), unreachableQuorums(blocking, MEMBERS)]).toEqual([[], []]);
});

it.each([
  ["a quorum larger than the users that it lists", group(3, undefined, "ab"), false],
  ["the same beside a user group", group(3, "g", "ab"), true],
  ["no user group in the list", { quorum: 1, approvers: { userGroupId: { in: [] } } }, false],
  [
    "21 user groups",
    { quorum: 1, approvers: { userGroupId: { in: Array.from({ length: 21 }, () => userGroup("g")) } } },
    false,
  ],
  ["a user among the user groups", { quorum: 1, approvers: { userGroupId: { in: [user("a")] } } }, false],
])("the body of a policy takes an approval group with %s: %s", (_, asked, isTaken) => {
  const parse = () => asks(asked);
  if (isTaken) expect(parse).not.toThrow();
  else expect(parse).toThrow();
});
