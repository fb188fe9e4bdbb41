import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { z } from "zod";
import { errorOf } from "../testing/bodies.ts";
import { approverOf, type Person } from "../testing/people.ts";
import { type Answer, startWorld, type World } from "../testing/world.ts";

let world: World;
let approver: Person;
beforeAll(async () => {
  world = await startWorld();
  approver = await approverOf(world);
});
afterAll(() => world.stop());

const idOf = (answer: Answer): string => z.looseObject({ id: z.string() }).parse(answer.body).id;
const codeOf = (answer: Answer) => [answer.status, errorOf(answer.body).details.code];
const approvalOf = (answer: Answer): string => {
  expect(answer.status).toBe(202);
  return z.looseObject({ approvalId: z.string() }).parse(answer.body).approvalId;
};
const decide = (approvalId: string, value: "Approved" | "Denied") =>
  approver.call("POST", `/v2/policy-approvals/${approvalId}/decisions`, { value });

let made = 0;
const permission = async (): Promise<string> => {
  made += 1;
  const body = { name: `role-${made}`, operations: ["Wallets:Read"] };
  return idOf(await world.call("POST", "/permissions", body));
};
/** A permission for whose changes, or assignments, a policy requires an approval. */
const guarded = async (activityKind: string, action: object): Promise<string> => {
  const id = await permission();
  const policy = await world.call("POST", "/v2/policies", {
    name: `guard of ${id}`,
    activityKind,
    rule: { kind: "AlwaysTrigger" },
    action,
    filters: { permissionId: { in: [id] } },
  });
  expect(policy.status).toBe(200);
  return id;
};
const ASK = { kind: "RequestApproval", approvalGroups: [{ quorum: 1, approvers: {} }] };
const BLOCK = { kind: "Block" };

describe("a change of a permission that a policy guards", () => {
  it("waits for somebody else, is shown meanwhile, and is made when it is approved", async () => {
    const id = await guarded("Permissions:Modify", ASK);
    const path = `/permissions/${id}`;
    const asked = await world.call("PUT", path, { operations: ["Keys:Read"] });
    expect(asked).toMatchObject({
      status: 202,
      body: {
        id: expect.stringMatching(/^cr-/),
        kind: "Permission",
        operationKind: "Update",
        status: "Pending",
        entityId: id,
        requester: { userId: world.caller.userId },
        body: { id, operations: ["Keys:Read"], isArchived: false },
      },
    });
    const shown = await world.call("GET", path);
    expect(shown.body).toMatchObject({ operations: ["Wallets:Read"], pendingChangeRequest: asked.body });
    const { items } = z
      .looseObject({ items: z.array(z.unknown()) })
      .parse((await world.call("GET", "/permissions?limit=500")).body);
    expect(items).toContainEqual(shown.body);
    expect(codeOf(await world.call("PUT", path, { name: "other" }))).toEqual([409, "ChangeRequestPending"]);
    expect((await decide(approvalOf(asked), "Approved")).status).toBe(200);
    const after = await world.call("GET", path);
    expect(after.body).toMatchObject({ operations: ["Keys:Read"] });
    expect(after.body).not.toHaveProperty("pendingChangeRequest");
  });

  it("is not made when it is denied", async () => {
    const id = await guarded("Permissions:Modify", ASK);
    const asked = await world.call("PUT", `/permissions/${id}/archive`, { isArchived: true });
    await decide(approvalOf(asked), "Denied");
    const after = await world.call("GET", `/permissions/${id}`);
    expect(after.body).toMatchObject({ isArchived: false });
    expect(after.body).not.toHaveProperty("pendingChangeRequest");
  });

  it("asks, too, where a client deletes a permission, and archives it once it is approved", async () => {
    const id = await guarded("Permissions:Modify", ASK);
    const asked = await world.call("DELETE", `/permissions/${id}?force=true`);
    expect([asked.status, asked.body]).toMatchObject([202, { status: "Pending" }]);
    expect((await world.call("GET", `/permissions/${id}`)).body).toMatchObject({ isArchived: false });
    await decide(approvalOf(asked), "Approved");
    expect((await world.call("GET", `/permissions/${id}`)).body).toMatchObject({ isArchived: true });
  });

  it("is refused when the policy blocks it", async () => {
    const id = await guarded("Permissions:Modify", BLOCK);
    expect(codeOf(await world.call("DELETE", `/permissions/${id}`))).toEqual([403, "PolicyBlocked"]);
    expect(codeOf(await world.call("PUT", `/permissions/${id}`, { name: "x" }))).toEqual([
      403,
      "PolicyBlocked",
    ]);
    expect((await world.call("GET", `/permissions/${id}`)).body).not.toMatchObject({ name: "x" });
  });

  it("leaves other permissions alone", async () => {
    await guarded("Permissions:Modify", BLOCK);
    const answer = await world.call("PUT", `/permissions/${await permission()}`, { operations: [] });
    expect(answer.status).toBe(200);
  });
});

describe("an assignment that a policy guards", () => {
  const assign = async (id: string) => {
    const { caller, token } = await world.tokenOf([]);
    const asked = await world.call("POST", `/permissions/${id}/assignments`, { identityId: caller.userId });
    const read = async () => {
      const answer = await world.call("GET", "/wallets", undefined, { authorization: `Bearer ${token}` });
      return answer.status;
    };
    return { asked, read, identityId: caller.userId };
  };

  it("grants nothing before it is approved, and keeps granting until its revocation is", async () => {
    const id = await guarded("Permissions:Assign", ASK);
    const { asked, read, identityId } = await assign(id);
    expect(asked).toMatchObject({
      status: 202,
      body: { kind: "Assignment", operationKind: "Create", body: { permissionId: id, identityId } },
    });
    expect(await read()).toBe(403);
    await decide(approvalOf(asked), "Approved");
    expect(await read()).toBe(200);
    const { entityId } = z.looseObject({ entityId: z.string() }).parse(asked.body);
    const path = `/permissions/${id}/assignments`;
    const again = await world.call("POST", path, { identityId });
    expect(again).toMatchObject({ status: 200, body: { id: entityId } });
    const revoked = await world.call("DELETE", `${path}/${entityId}?force=true`, {});
    expect(revoked).toMatchObject({ status: 202, body: { operationKind: "Delete", entityId } });
    expect((await world.call("GET", path)).body).toMatchObject({
      items: [{ id: entityId, pendingChangeRequest: revoked.body }],
    });
    expect(await read()).toBe(200);
    await decide(approvalOf(revoked), "Approved");
    expect([await read(), (await world.call("GET", path)).body]).toEqual([403, { items: [] }]);
  });

  it("comes to nothing when the permission is archived before it is approved", async () => {
    const id = await guarded("Permissions:Assign", ASK);
    const { asked, read } = await assign(id);
    await world.call("PUT", `/permissions/${id}/archive`, { isArchived: true });
    expect((await decide(approvalOf(asked), "Approved")).status).toBe(200);
    await world.call("PUT", `/permissions/${id}/archive`, { isArchived: false });
    expect(await read()).toBe(403);
    expect((await world.call("GET", `/permissions/${id}/assignments`)).body).toEqual({ items: [] });
  });

  it("is refused when the policy blocks it", async () => {
    const { asked, read } = await assign(await guarded("Permissions:Assign", BLOCK));
    expect([codeOf(asked), await read()]).toEqual([[403, "PolicyBlocked"], 403]);
  });
});
