import { changeRights } from "@conclave/platform";
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
import { administratorOf, type Person } from "../testing/people.ts";

const MAY_DECIDE = ["Policies:Approvals:Approve", "Auth:Pats:Create"] as const;

const statusSchema = z.looseObject({ status: z.string() });

let at: ApprovalWorld;
let admin: Person;
let [alice, bob, carol]: Holder[] = [];
let path: string;
beforeAll(async () => {
  at = await startApprovalWorld();
  admin = administratorOf(at.world);
});
afterAll(() => at.world.stop());
beforeEach(async () => {
  path = `/wallets/${(await at.wallet()).id}/transfers`;
  [alice, bob, carol] = [
    await at.holder(...MAY_DECIDE),
    await at.holder(...MAY_DECIDE),
    await at.holder(...MAY_DECIDE),
  ];
});
afterEach(() => at.forget());

const ask = () => at.ask(admin, path, dollars(90));
const who = (person: Holder | undefined): Holder => person ?? expect.fail("nobody");
const statusOf = async (person: Person | undefined, request: AskedInTest) => {
  const { status, body } = await at.vote(person ?? expect.fail("nobody"), request);
  return status === 200 ? statusSchema.parse(body).status : errorOf(body).details.code;
};
/** A policy on everything that asks these people for an approval. */
const protect = (quorum: number, ...people: readonly (Holder | undefined)[]) =>
  at.policy({ rule: ALWAYS, action: asking(quorum, ...people.map(who)) });
const replace = (id: string, action: unknown) =>
  admin.call("PUT", `/v2/policies/${id}`, {
    name: "test",
    activityKind: "Wallets:Sign",
    rule: ALWAYS,
    action,
  });

describe("INV-8 judged when: the approver's permission, user, token and application, release:", () => {
  const ends: readonly (readonly [string, (holder: Holder) => Promise<unknown>])[] = [
    ["is deactivated", ({ userId }) => admin.call("PUT", `/auth/users/${userId}/deactivate`, {})],
    ["is archived", ({ userId }) => admin.call("DELETE", `/auth/users/${userId}`)],
    [
      "may approve no more",
      ({ permissionId, assignmentId }) =>
        admin.call("DELETE", `/permissions/${permissionId}/assignments/${assignmentId}`),
    ],
    [
      "has the permission archived",
      ({ permissionId }) => admin.call("PUT", `/permissions/${permissionId}/archive`, { isArchived: true }),
    ],
  ];
  it.each(ends)("the vote of somebody who %s before the quorum is met does not count", async (_, end) => {
    await protect(2, alice, bob, carol);
    const request = await ask();
    expect(await statusOf(alice, request)).toBe("Pending");
    expect(await end(who(alice))).toMatchObject({ status: 200 });
    expect(await statusOf(bob, request)).toBe("Pending");
    expect(await at.fate(request.id)).toMatchObject({ authorised: false });
    expect(await statusOf(carol, request)).toBe("Approved");
    const [row] = await at.world.database.rows(
      z.object({ approvers: z.array(z.string()) }),
      "select policy_decision -> 'approvers' as approvers from chain_requests where id = $1",
      [request.id],
    );
    expect(row?.approvers).toEqual([bob?.userId, carol?.userId]);
  });

  it.each([
    ["deactivated", "PUT", "/deactivate"],
    ["archived", "DELETE", ""],
  ])("the vote that came with a token which is %s since does not count", async (_, method, act) => {
    await protect(2, alice, bob, carol);
    const request = await ask();
    const robot = await at.withToken(who(alice));
    expect(await statusOf(robot, request)).toBe("Pending");
    await who(alice).call(method, `/auth/pats/${robot.tokenId}${act}`, {});
    expect(await statusOf(bob, request)).toBe("Pending");
    expect(await statusOf(carol, request)).toBe("Approved");
  });

  it("a voter with a token that has ended may vote again, and once", async () => {
    await protect(2, alice, bob, carol);
    const request = await ask();
    const robot = await at.withToken(who(alice));
    expect(await statusOf(robot, request)).toBe("Pending");
    expect(await statusOf(alice, request)).toBe("ApprovalSpoken");
    await who(alice).call("DELETE", `/auth/pats/${robot.tokenId}`, {});
    expect(await statusOf(alice, request)).toBe("Pending");
    expect(await statusOf(alice, request)).toBe("ApprovalSpoken");
    expect(await at.approval(request)).toMatchObject({ decisions: [{ userId: alice?.userId }] });
    expect(await statusOf(bob, request)).toBe("Approved");
    expect(await at.fate(request.id)).toMatchObject({ authorised: true });
  });

  it("the vote of an application that is deactivated since does not count", async () => {
    await at.policy({ rule: ALWAYS, action: asking(2) });
    const request = await ask();
    const application = await at.application(who(alice).permissionId);
    // its maker is the administrator, who is the requester; the record of the maker is removed
    await at.world.database.execute("update users set made_by = null where id = $1", [application.userId]);
    expect(await statusOf(application, request)).toBe("Pending");
    await admin.call("PUT", `/auth/apps/${application.appId}/deactivate`, {});
    expect(await statusOf(bob, request)).toBe("Pending");
    expect(await statusOf(carol, request)).toBe("Approved");
  });
});

describe("INV-8 judged when: the approver's permission, user, token and application, vote:", () => {
  it("a machine that loses the right while its vote waits has not voted, and nothing is authorised", async () => {
    await protect(1, alice);
    const request = await ask();
    const { vote } = await at.world.database.transaction(async (connection) => {
      await changeRights(connection, at.world.caller.orgId);
      const answer = at.vote(who(alice), request);
      await at.untilWaiting(1);
      await connection.execute("delete from permission_assignments where id = $1", [who(alice).assignmentId]);
      return { vote: answer };
    });
    const { status, body } = await vote;
    expect([status, errorOf(body).details.code]).toEqual([403, "PermissionMissing"]);
    expect(await at.fate(request.id)).toMatchObject({ status: "Pending", authorised: false });
    expect(await at.approval(request)).toMatchObject({ status: "Pending", decisions: [] });
  });
});

describe("judged when: the approver's place in a group, vote; the approver's place in a group, release:", () => {
  it("INV-8 the vote of somebody who was taken out of the group does not count, and who was added may decide", async () => {
    const id = await protect(2, alice, bob);
    const request = await ask();
    expect(await statusOf(alice, request)).toBe("Pending");
    expect((await replace(id, asking(2, who(bob), who(carol)))).status).toBe(200);
    expect(await statusOf(bob, request)).toBe("Pending");
    expect(await at.fate(request.id)).toMatchObject({ authorised: false });
    expect(await statusOf(carol, request)).toBe("Approved");
    expect(await at.fate(request.id)).toMatchObject({ authorised: true });
  });

  it("INV-8 somebody who was taken out of the group does not vote any more", async () => {
    const id = await protect(1, alice, bob);
    const request = await ask();
    await replace(id, asking(1, who(bob)));
    expect(await statusOf(alice, request)).toBe("ApprovalNotAllowed");
    expect(await at.approval(request)).toMatchObject({ decisions: [] });
  });

  it("INV-8 a quorum that was raised since holds", async () => {
    const id = await protect(1, alice, bob);
    const request = await ask();
    await replace(id, asking(2, who(alice), who(bob)));
    expect(await statusOf(alice, request)).toBe("Pending");
    expect(await statusOf(bob, request)).toBe("Approved");
  });

  it("a policy that was archived since goes on asking whom it asked", async () => {
    const id = await protect(2, alice, bob);
    const request = await ask();
    await admin.call("DELETE", `/v2/policies/${id}`, {});
    expect(await statusOf(carol, request)).toBe("ApprovalNotAllowed");
    expect(await statusOf(alice, request)).toBe("Pending");
    expect(await statusOf(bob, request)).toBe("Approved");
  });
});
