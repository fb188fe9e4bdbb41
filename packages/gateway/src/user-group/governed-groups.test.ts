import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { z } from "zod";
import {
  ALWAYS,
  type ApprovalWorld,
  type AskedInTest,
  asking,
  dollars,
  type Holder,
  startApprovalWorld,
} from "../testing/approval-world.ts";
import { errorOf } from "../testing/bodies.ts";
import { administratorOf, type Person, personWith, userOf } from "../testing/people.ts";
import { askingGroups, type GroupInTest, makeGroup } from "../testing/user-group.ts";
import type { Answer } from "../testing/world.ts";

const changeSchema = z.looseObject({ id: z.string(), approvalId: z.string(), status: z.string() });
const statusSchema = z.looseObject({ status: z.string() });
const MAY_DECIDE = ["Policies:Approvals:Approve"] as const;

let at: ApprovalWorld;
let admin: Person;
let alice: Holder;
let bob: Holder;
let carol: Holder;
/** somebody who would like to approve */
let mallory: Person;
let group: GroupInTest;
beforeAll(async () => {
  at = await startApprovalWorld();
  admin = administratorOf(at.world);
});
afterAll(() => at.world.stop());
beforeEach(async () => {
  [alice, bob, carol] = await Promise.all([
    at.holder(...MAY_DECIDE),
    at.holder(...MAY_DECIDE),
    at.holder(...MAY_DECIDE),
  ]);
  mallory = await personWith(at.world, [
    ...MAY_DECIDE,
    "Auth:UserGroups:Members:Add",
    "Auth:UserGroups:Members:Remove",
    "Auth:UserGroups:Delete",
    "Policies:Update",
    "Policies:Archive",
  ]);
  group = await makeGroup(admin, alice, bob);
});
afterEach(async () => {
  await at.forget();
  await at.world.database.execute("update policies set status = 'Archived'");
});

const codeOf = (answer: Answer) => [answer.status, errorOf(answer.body).details.code];
const asked = (answer: Answer) => {
  expect(answer).toMatchObject({ status: 202 });
  return changeSchema.parse(answer.body);
};
const decide = async (who: Person, request: Pick<AskedInTest, "approvalId">, value?: "Denied") => {
  const { status, body } = await at.vote(who, request, value);
  return status === 200 ? statusSchema.parse(body).status : errorOf(body).details.code;
};
const members = () => group.members(admin);
const idsOf = (...people: readonly { readonly userId: string }[]) =>
  people.map(({ userId }) => userId).toSorted();
/** A policy on signing that asks the group. */
const guardWallets = () => at.policy({ rule: ALWAYS, action: askingGroups(1, group) });
/** A policy on changes of policies that asks this person. */
const guardPolicies = (who: Person, filters?: unknown) =>
  at.policy({
    activityKind: "Policies:Modify",
    rule: ALWAYS,
    action: asking(1, who),
    ...(filters === undefined ? {} : { filters }),
  });

describe("a change of the members of a group that a policy names", () => {
  it("INV-8 waits for whom changes of policies wait for, and is made once it is approved", async () => {
    const named = await guardWallets();
    await guardPolicies(carol);
    const addition = asked(await group.add(mallory, mallory));
    expect(addition).toMatchObject({
      kind: "UserGroup",
      operationKind: "Update",
      status: "Pending",
      entityId: group.id,
      body: { id: group.id, policyIds: [named], addedUserIds: [mallory.userId], removedUserIds: [] },
    });
    expect(await members()).toEqual(idsOf(alice, bob));
    const shown = await admin.call("GET", `/auth/user-groups/${group.id}`);
    expect(shown.body).toMatchObject({ memberCount: 2, pendingChangeRequest: { id: addition.id } });
    expect(codeOf(await group.remove(mallory, alice))).toEqual([409, "ChangeRequestPending"]);
    // neither its requester nor a member of the group approves it
    for (const who of [mallory, alice]) expect(await decide(who, addition)).toBe("ApprovalNotAllowed");
    expect(await decide(carol, addition)).toBe("Approved");
    expect(await members()).toEqual(idsOf(alice, bob, mallory));
    const removal = asked(await group.remove(mallory, alice));
    expect(await members()).toEqual(idsOf(alice, bob, mallory));
    expect(await decide(carol, removal)).toBe("Approved");
    expect(await members()).toEqual(idsOf(bob, mallory));
  });

  it("INV-8 is not made once it is denied", async () => {
    await guardWallets();
    await guardPolicies(carol);
    const addition = asked(await group.add(mallory, mallory));
    expect(await decide(carol, addition, "Denied")).toBe("Denied");
    expect(await at.fate(addition.id)).toMatchObject({ status: "Rejected" });
    expect(await members()).toEqual(idsOf(alice, bob));
  });

  it("INV-8 cannot let its own requester, once added, decide on what waits", async () => {
    const path = `/wallets/${(await at.wallet()).id}/transfers`;
    await guardWallets();
    await guardPolicies(carol);
    const transfer = await at.ask(admin, path, dollars(90));
    asked(await group.add(mallory, mallory));
    expect(await decide(mallory, transfer)).toBe("ApprovalNotAllowed");
    expect(await at.fate(transfer.id)).toMatchObject({ authorised: false });
  });

  it("INV-8 waits where the policy on changes names the policy, and not where it names another one", async () => {
    const named = await guardWallets();
    const other = await at.policy({ rule: ALWAYS, action: { kind: "NoAction" } });
    await guardPolicies(carol, { policyId: { in: [other] } });
    expect((await group.add(mallory, carol)).status).toBe(200);
    await guardPolicies(carol, { policyId: { in: [named] } });
    asked(await group.remove(mallory, carol));
  });

  it("INV-8 waits for its own members where the policy on changes asks them: it guards itself", async () => {
    const other = await at.policy({ rule: ALWAYS, action: { kind: "NoAction" } });
    await at.policy({
      activityKind: "Policies:Modify",
      rule: ALWAYS,
      action: askingGroups(2, group),
      filters: { policyId: { in: [other] } },
    });
    const addition = asked(await group.add(mallory, mallory));
    expect(await decide(mallory, addition)).toBe("ApprovalNotAllowed");
    expect(await decide(alice, addition)).toBe("Pending");
    expect(await decide(bob, addition)).toBe("Approved");
    expect(await members()).toEqual(idsOf(alice, bob, mallory));
  });

  it("INV-8 of a member who asks for it is approved by the others", async () => {
    await at.policy({ activityKind: "Policies:Modify", rule: ALWAYS, action: askingGroups(1, group) });
    await at.world.database.execute(
      "insert into user_group_members (group_id, org_id, user_id, date_added) values ($1, $2, $3, now())",
      [group.id, at.world.caller.orgId, mallory.userId],
    );
    const addition = asked(await group.add(mallory, carol));
    expect(await decide(mallory, addition)).toBe("ApprovalNotAllowed");
    expect(await decide(alice, addition)).toBe("Approved");
  });

  it("that changes nothing is answered at once, and a change of a group that none names is made at once", async () => {
    await guardWallets();
    await guardPolicies(carol);
    expect(await group.add(mallory, alice)).toMatchObject({ status: 200, body: {} });
    expect(await group.remove(mallory, carol)).toMatchObject({ status: 200, body: {} });
    const free = await makeGroup(admin);
    expect((await free.add(mallory, mallory)).status).toBe(200);
    expect((await free.delete(mallory)).status).toBe(200);
  });

  it.each(["Auth:UserGroups:Members:Add", "Auth:UserGroups:Members:Remove"] as const)(
    "INV-8 needs the right to change policies beside %s",
    async (operation) => {
      const holder = await personWith(at.world, [operation]);
      const change = (who: Person) =>
        operation === "Auth:UserGroups:Members:Add" ? group.add(who, carol) : group.remove(who, alice);
      await guardWallets();
      const refused = await change(holder);
      expect(codeOf(refused)).toEqual([403, "PermissionMissing"]);
      expect(errorOf(refused.body).details).toMatchObject({ operation: "Policies:Update" });
      expect(await members()).toEqual(idsOf(alice, bob));
      expect((await change(await personWith(at.world, [operation, "Policies:Update"]))).status).toBe(200);
    },
  );
});

describe("a change of members that waited", () => {
  it("INV-8 is rejected when its requester has lost the right since", async () => {
    await guardWallets();
    await guardPolicies(carol);
    const holder = await at.holder("Auth:UserGroups:Members:Add", "Policies:Update");
    const addition = asked(await group.add(holder, carol));
    await admin.call("PUT", `/permissions/${holder.permissionId}`, {
      operations: ["Auth:UserGroups:Members:Add"],
    });
    expect(await decide(carol, addition)).toBe("Approved");
    expect(await at.fate(addition.id)).toMatchObject({ status: "Rejected" });
    expect(await members()).toEqual(idsOf(alice, bob));
  });

  it("INV-8 asks further where a policy that names the group since is guarded by other people", async () => {
    const named = await guardWallets();
    await guardPolicies(carol, { policyId: { in: [named] } });
    const addition = asked(await group.add(mallory, mallory));
    const later = await guardWallets();
    await guardPolicies(bob, { policyId: { in: [later] } });
    expect(await decide(carol, addition)).toBe("Pending");
    expect(await members()).toEqual(idsOf(alice, bob));
    expect(await decide(bob, addition)).toBe("Approved");
    expect(await members()).toEqual(idsOf(alice, bob, mallory));
  });

  it("fails with the reason when it can be made no more", async () => {
    await guardWallets();
    await guardPolicies(carol);
    const leaver = { userId: await userOf(at.world, "CustomerEmployee") };
    const addition = asked(await group.add(mallory, leaver));
    await admin.call("DELETE", `/auth/users/${leaver.userId}`);
    expect(await decide(carol, addition)).toBe("Approved");
    expect(await at.fate(addition.id)).toMatchObject({
      status: "Failed",
      reason: expect.stringMatching(/person/),
    });
    const removal = asked(await group.remove(mallory, alice));
    await admin.call("PUT", `/auth/users/${bob.userId}/deactivate`, {});
    expect(await decide(carol, removal)).toBe("Approved");
    expect(await at.fate(removal.id)).toMatchObject({
      status: "Failed",
      reason: expect.stringMatching(/quorum/),
    });
    expect(await members()).toEqual(idsOf(alice, bob));
  });
});

describe("a change of a policy that would name a group", () => {
  const replace = (id: string, who: Person) =>
    who.call("PUT", `/v2/policies/${id}`, {
      name: "test",
      activityKind: "Wallets:Sign",
      rule: ALWAYS,
      action: askingGroups(1, group),
    });

  it("INV-8 guards the group from the moment at which it is asked for", async () => {
    const id = await at.policy({ rule: ALWAYS, action: asking(1, alice, bob) });
    await guardPolicies(carol);
    const change = asked(await replace(id, mallory));
    // approved is the group as it was when the change was asked for
    const addition = asked(await group.add(mallory, mallory));
    expect(codeOf(await group.delete(mallory))).toEqual([409, "UserGroupNamed"]);
    expect(await decide(carol, change)).toBe("Approved");
    expect(await members()).toEqual(idsOf(alice, bob));
    expect(await decide(carol, addition)).toBe("Approved");
  });

  it("INV-5 fails when the group's quorum can be reached no more", async () => {
    const id = await at.policy({ rule: ALWAYS, action: asking(1, alice, bob) });
    await guardPolicies(carol);
    const change = asked(await replace(id, mallory));
    for (const { userId } of [alice, bob]) await admin.call("PUT", `/auth/users/${userId}/deactivate`, {});
    expect(await decide(carol, change)).toBe("Approved");
    expect(await at.fate(change.id)).toMatchObject({
      status: "Failed",
      reason: expect.stringMatching(/quorum/),
    });
  });
});

describe("a group whose policy was archived while an approval waits", () => {
  it("INV-8 is guarded until that is settled", async () => {
    const path = `/wallets/${(await at.wallet()).id}/transfers`;
    const named = await guardWallets();
    await guardPolicies(carol);
    const transfer = await at.ask(admin, path, dollars(90));
    const change = asked(await mallory.call("DELETE", `/v2/policies/${named}`, {}));
    expect(await decide(carol, change)).toBe("Approved");
    const addition = asked(await group.add(mallory, mallory));
    expect(await decide(mallory, transfer)).toBe("ApprovalNotAllowed");
    expect(await decide(alice, transfer)).toBe("Approved");
    // nothing names the group any more: no policy is left that would ask
    expect(await decide(carol, addition)).toBe("Approved");
    expect((await group.remove(mallory, mallory)).status).toBe(200);
  });
});
