import { approvalIdSchema, userGroupIdSchema } from "@conclave/custody";
import { changeRights, freshId, lockApproval } from "@conclave/platform";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { z } from "zod";
import {
  ALWAYS,
  type ApprovalWorld,
  type AskedInTest,
  dollars,
  type Holder,
  startApprovalWorld,
} from "../testing/approval-world.ts";
import { errorOf } from "../testing/bodies.ts";
import { administratorOf, type Person, userOf } from "../testing/people.ts";
import { askingGroups, makeGroup } from "../testing/user-group.ts";
import type { Answer } from "../testing/world.ts";

const MAY_DECIDE = ["Policies:Approvals:Approve", "Wallets:TransferAsset"] as const;
const statusSchema = z.looseObject({ status: z.string() });

let at: ApprovalWorld;
let admin: Person;
let path: string;
let alice: Holder;
let bob: Holder;
let carol: Holder;
beforeAll(async () => {
  at = await startApprovalWorld();
  admin = administratorOf(at.world);
});
afterAll(() => at.world.stop());
beforeEach(async () => {
  path = `/wallets/${(await at.wallet()).id}/transfers`;
  [alice, bob, carol] = await Promise.all([
    at.holder(...MAY_DECIDE),
    at.holder(...MAY_DECIDE),
    at.holder(...MAY_DECIDE),
  ]);
});
afterEach(() => at.forget());

const codeOf = (answer: Answer) => [answer.status, errorOf(answer.body).details.code];
const ask = (who: Person = admin) => at.ask(who, path, dollars(90));
const statusOf = async (who: Person, request: AskedInTest) => {
  const { status, body } = await at.vote(who, request);
  return status === 200 ? statusSchema.parse(body).status : errorOf(body).details.code;
};
const protect = (action: unknown) => at.policy({ rule: ALWAYS, action });
const create = (action: unknown) =>
  admin.call("POST", "/v2/policies", { name: "test", activityKind: "Wallets:Sign", rule: ALWAYS, action });
/** The approvers that the authority named to the signers. */
const approversOf = async ({ id }: AskedInTest) => {
  const [row] = await at.world.database.rows(
    z.object({ approvers: z.array(z.string()), signed: z.string() }),
    `select policy_decision -> 'approvers' as approvers, convert_from(authorisation, 'UTF8') as signed
     from chain_requests where id = $1`,
    [id],
  );
  if (row === undefined) return undefined;
  for (const approver of row.approvers) expect(row.signed).toContain(approver);
  return row.approvers;
};

describe("a policy that asks the members of a user group", () => {
  it("INV-8 lets a request go by its members alone, and the authorisation names them", async () => {
    const group = await makeGroup(admin, alice, bob);
    await protect(askingGroups(2, group));
    const request = await ask();
    expect(await statusOf(carol, request)).toBe("ApprovalNotAllowed");
    expect(await statusOf(alice, request)).toBe("Pending");
    expect(await at.fate(request.id)).toMatchObject({ authorised: false });
    expect(await statusOf(bob, request)).toBe("Approved");
    expect(await at.fate(request.id)).toMatchObject({ authorised: true });
    expect(await approversOf(request)).toEqual([alice.userId, bob.userId]);
  });

  it("asks listed users beside them", async () => {
    const group = await makeGroup(admin, alice);
    const approvers = { userId: { in: [carol.userId] }, userGroupId: { in: [group.id] } };
    await protect({ kind: "RequestApproval", approvalGroups: [{ quorum: 2, approvers }] });
    const request = await ask();
    expect(await statusOf(bob, request)).toBe("ApprovalNotAllowed");
    expect(await statusOf(carol, request)).toBe("Pending");
    expect(await statusOf(alice, request)).toBe("Approved");
    expect(await at.approval(request)).toMatchObject({ approvalGroups: [{ approvers }] });
  });

  it("INV-8 is not approved by who asked, as with a list of users", async () => {
    const group = await makeGroup(admin, alice, bob);
    await protect(askingGroups(1, group));
    const request = await ask(alice);
    expect(await statusOf(alice, request)).toBe("ApprovalNotAllowed");
    expect(await statusOf(bob, request)).toBe("Approved");
  });

  it("is found by who is asked, and by nobody else", async () => {
    const group = await makeGroup(admin, alice);
    await protect(askingGroups(1, group));
    const request = await ask();
    const found = async ({ userId }: Person) => {
      const { body } = await admin.call("GET", `/v2/policy-approvals?approverId=${userId}&status=Pending`);
      const { items } = z.object({ items: z.array(z.looseObject({ id: z.string() })) }).parse(body);
      return items.some(({ id }) => id === request.approvalId);
    };
    expect([await found(alice), await found(bob)]).toEqual([true, false]);
  });
});

describe("judged when: the members of user groups, vote; the members of user groups, release:", () => {
  it("INV-8 the vote of somebody who was removed does not count, and is not in the authorisation", async () => {
    const group = await makeGroup(admin, alice, bob, carol);
    await protect(askingGroups(2, group));
    const request = await ask();
    expect(await statusOf(alice, request)).toBe("Pending");
    expect((await group.remove(admin, alice)).status).toBe(200);
    expect(await statusOf(bob, request)).toBe("Pending");
    expect(await at.fate(request.id)).toMatchObject({ authorised: false });
    expect(await statusOf(carol, request)).toBe("Approved");
    expect(await approversOf(request)).toEqual([bob.userId, carol.userId]);
  });

  it("INV-8 somebody who was removed does not vote, and somebody who was added may", async () => {
    const group = await makeGroup(admin, alice, bob);
    await protect(askingGroups(1, group));
    const request = await ask();
    await group.remove(admin, alice);
    expect(await statusOf(alice, request)).toBe("ApprovalNotAllowed");
    expect(await statusOf(carol, request)).toBe("ApprovalNotAllowed");
    await group.add(admin, carol);
    expect(await statusOf(carol, request)).toBe("Approved");
    expect(await approversOf(request)).toEqual([carol.userId]);
  });

  it("an archived policy goes on asking the members of now", async () => {
    const group = await makeGroup(admin, alice, bob);
    const id = await protect(askingGroups(1, group));
    const request = await ask();
    await admin.call("DELETE", `/v2/policies/${id}`, {});
    await group.remove(admin, alice);
    expect(await statusOf(alice, request)).toBe("ApprovalNotAllowed");
    expect(await statusOf(bob, request)).toBe("Approved");
  });

  it.each([
    ["deactivated", "PUT", "/deactivate"],
    ["archived", "DELETE", ""],
  ])("INV-8 the vote of a member who was %s does not count", async (_, method, act) => {
    const group = await makeGroup(admin, alice, bob, carol);
    await protect(askingGroups(2, group));
    const request = await ask();
    expect(await statusOf(alice, request)).toBe("Pending");
    await admin.call(method, `/auth/users/${alice.userId}${act}`, {});
    expect(await statusOf(bob, request)).toBe("Pending");
    expect(await statusOf(carol, request)).toBe("Approved");
    expect(await approversOf(request)).toEqual([bob.userId, carol.userId]);
  });

  it("INV-8 of a vote and a removal at one moment the second sees the first", async () => {
    const group = await makeGroup(admin, alice, bob, carol);
    await protect(askingGroups(1, group));
    for (const _ of [1, 2, 3, 4]) {
      const request = await ask();
      const [vote, removal] = await Promise.all([statusOf(alice, request), group.remove(admin, alice)]);
      expect(removal.status).toBe(200);
      const { authorised } = await at.fate(request.id);
      expect([vote, authorised]).toEqual(
        vote === "Approved" ? ["Approved", true] : ["ApprovalNotAllowed", false],
      );
      await group.add(admin, alice);
    }
  });

  it("INV-8 a vote that waits for a removal is judged after it", async () => {
    const group = await makeGroup(admin, alice, bob);
    await protect(askingGroups(1, group));
    const request = await ask();
    const { vote } = await at.world.database.transaction(async (connection) => {
      await changeRights(connection, at.world.caller.orgId);
      const answer = statusOf(alice, request);
      await at.untilWaiting(1);
      await connection.execute("delete from user_group_members where group_id = $1 and user_id = $2", [
        group.id,
        alice.userId,
      ]);
      return { vote: answer };
    });
    expect(await vote).toBe("ApprovalNotAllowed");
    expect(await at.fate(request.id)).toMatchObject({ authorised: false });
  });

  it("INV-8 a removal waits for a vote that is being judged", async () => {
    const group = await makeGroup(admin, alice, bob);
    await protect(askingGroups(1, group));
    const request = await ask();
    const { vote, removal } = await at.world.database.transaction(async (connection) => {
      // the vote holds no rights before it has the approval's row
      await lockApproval(connection, at.world.caller.orgId, approvalIdSchema.parse(request.approvalId));
      const voting = statusOf(alice, request);
      const removing = group.remove(admin, alice);
      return { vote: voting, removal: removing };
    });
    expect((await removal).status).toBe(200);
    const { authorised } = await at.fate(request.id);
    expect(authorised).toBe((await vote) === "Approved");
  });
});

describe("a policy that names user groups", () => {
  it("INV-5 is made and changed only while its quorum can be reached", async () => {
    const group = await makeGroup(admin, alice, bob);
    const other = await makeGroup(admin, bob);
    const refused = await create(askingGroups(3, group, other));
    expect(codeOf(refused)).toEqual([400, "QuorumUnreachable"]);
    expect(errorOf(refused.body).details).toMatchObject({ groups: [{ quorum: 3 }] });
    const id = await protect(askingGroups(2, group, other));
    const replace = (action: unknown) =>
      admin.call("PUT", `/v2/policies/${id}`, {
        name: "test",
        activityKind: "Wallets:Sign",
        rule: ALWAYS,
        action,
      });
    expect(codeOf(await replace(askingGroups(2, other)))).toEqual([400, "QuorumUnreachable"]);
    expect((await replace(askingGroups(2, group))).status).toBe(200);
    await admin.call("PUT", `/auth/users/${bob.userId}/deactivate`, {});
    expect(codeOf(await replace(askingGroups(2, group)))).toEqual([400, "QuorumUnreachable"]);
    expect((await admin.call("DELETE", `/v2/policies/${id}`, {})).status).toBe(200);
  });

  it("INV-11 names groups of its organisation that there are", async () => {
    const absent = { id: freshId(userGroupIdSchema, "ug") };
    const [theirs] = await at.world.database.rows(
      z.object({ id: z.string() }),
      `insert into user_groups (id, org_id, name, date_created, date_updated)
       select $2, id, 'theirs', now(), now() from organisations where id <> $1 limit 1 returning id`,
      [at.world.caller.orgId, freshId(userGroupIdSchema, "ug")],
    );
    for (const each of [absent, theirs ?? expect.fail("no other organisation")]) {
      const answer = await create(askingGroups(1, each));
      expect(codeOf(answer)).toEqual([400, "ApproverGroupUnknown"]);
      expect(errorOf(answer.body).details).toMatchObject({ userGroupIds: [each.id] });
    }
  });

  it("keeps its groups, and members for its quorum: both are refused with the policies named", async () => {
    const group = await makeGroup(admin, alice, bob, carol);
    const id = await protect(askingGroups(2, group));
    const kept = await group.delete(admin);
    expect(codeOf(kept)).toEqual([409, "UserGroupNamed"]);
    expect(errorOf(kept.body).details).toMatchObject({ policyIds: [id] });
    const lost = await group.remove(admin, alice, bob);
    expect(codeOf(lost)).toEqual([409, "QuorumLost"]);
    expect(errorOf(lost.body).details).toMatchObject({ policyIds: [id] });
    expect(await group.members(admin)).toHaveLength(3);
    expect((await group.remove(admin, alice)).status).toBe(200);
    const path = `/auth/user-groups/${group.id}`;
    expect(codeOf(await admin.call("PUT", path, { name: "Lunch rota" }))).toEqual([409, "UserGroupNamed"]);
    expect((await admin.call("PUT", path, { description: "who pays" })).status).toBe(200);
    await admin.call("DELETE", `/v2/policies/${id}`, {});
    expect((await group.remove(admin, bob, carol)).status).toBe(200);
    expect((await group.delete(admin)).status).toBe(200);
  });

  it("counts nobody towards its quorum who has registered no credential", async () => {
    const invited = { userId: await userOf(at.world, "CustomerEmployee") };
    await at.world.database.execute("update users set is_registered = false where id = $1", [invited.userId]);
    const group = await makeGroup(admin, alice, invited);
    expect(codeOf(await create(askingGroups(2, group)))).toEqual([400, "QuorumUnreachable"]);
    expect((await create(askingGroups(1, group))).status).toBe(200);
    expect(codeOf(await group.remove(admin, alice))).toEqual([409, "QuorumLost"]);
    await at.world.database.execute("update policies set status = 'Archived' where status = 'Active'");
  });

  it("lets people leave who do not count, where its quorum is not reached anyway", async () => {
    const group = await makeGroup(admin, alice, bob, carol);
    await protect(askingGroups(3, group));
    await admin.call("PUT", `/auth/users/${carol.userId}/deactivate`, {});
    expect((await group.remove(admin, carol)).status).toBe(200);
    await admin.call("PUT", `/auth/users/${carol.userId}/activate`, {});
    await at.world.database.execute("update policies set status = 'Archived' where status = 'Active'");
  });

  it("INV-5 leaves a group in place while an approval waits for its members", async () => {
    const group = await makeGroup(admin, alice);
    const id = await protect(askingGroups(1, group));
    const request = await ask();
    await admin.call("DELETE", `/v2/policies/${id}`, {});
    expect(codeOf(await group.delete(admin))).toEqual([409, "UserGroupNamed"]);
    expect(await statusOf(alice, request)).toBe("Approved");
    expect((await group.delete(admin)).status).toBe(200);
  });

  it("INV-8 and the deletion of its group at one moment: one of them is refused", async () => {
    for (const _ of [1, 2, 3, 4]) {
      const group = await makeGroup(admin, alice);
      const [made, deleted] = await Promise.all([create(askingGroups(1, group)), group.delete(admin)]);
      expect([made.status, deleted.status]).toEqual(made.status === 200 ? [200, 409] : [400, 200]);
      await at.world.database.execute("update policies set status = 'Archived' where status = 'Active'");
    }
  });

  it("INV-8 and the last removal from its group at one moment: one of them is refused", async () => {
    for (const _ of [1, 2, 3, 4]) {
      const group = await makeGroup(admin, alice);
      const [made, emptied] = await Promise.all([create(askingGroups(1, group)), group.remove(admin, alice)]);
      expect([made.status, emptied.status]).toEqual(made.status === 200 ? [200, 409] : [400, 200]);
      await at.world.database.execute("update policies set status = 'Archived' where status = 'Active'");
    }
  });
});
