import { changeRights, holdRights, measurePolicies, openDatabase } from "@conclave/platform";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { z } from "zod";
import {
  ALWAYS,
  type ApprovalWorld,
  asking,
  dollars,
  type Holder,
  startApprovalWorld,
} from "../testing/approval-world.ts";
import { administratorOf, approverOf, type Person } from "../testing/people.ts";

let at: ApprovalWorld;
let admin: Person;
let alice: Person;
beforeAll(async () => {
  at = await startApprovalWorld();
  admin = administratorOf(at.world);
  alice = await approverOf(at.world);
});
afterAll(() => at.world.stop());
afterEach(() => at.forget());

const TRIES = [1, 2, 3, 4, 5, 6, 7, 8];
const deactivate = ({ userId }: Person) => admin.call("PUT", `/auth/users/${userId}/deactivate`, {});
const changeSchema = z.looseObject({ id: z.string(), approvalId: z.string() });

describe("a release and the end of a right at the same moment", () => {
  it("INV-8 come one after the other: released is only what was judged before the right had ended", async () => {
    await at.policy({ rule: ALWAYS, action: asking(1, alice) });
    const pairs = await Promise.all(
      TRIES.map(async () => {
        const wallet = await at.wallet();
        const holder = await at.holder("Wallets:TransferAsset");
        const request = await at.ask(holder, `/wallets/${wallet.id}/transfers`, dollars(90));
        return { holder, request };
      }),
    );
    const answers = await Promise.all(
      pairs.flatMap(({ holder, request }) => [at.vote(alice, request), deactivate(holder)]),
    );
    expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 200));
    for (const { request } of pairs) {
      const { status, authorised, reason } = await at.fate(request.id);
      expect([status, authorised, /is active no more/.test(reason)]).toEqual(
        authorised ? ["Pending", true, false] : ["Rejected", false, true],
      );
    }
  });

  it("INV-8 a vote that begins after the end was answered finds it, whichever gateway takes it", async () => {
    await at.policy({ rule: ALWAYS, action: asking(1, alice) });
    for (const call of [at.world.call, at.world.callBeside]) {
      const wallet = await at.wallet();
      const holder = await at.holder("Wallets:TransferAsset");
      const request = await at.ask(holder, `/wallets/${wallet.id}/transfers`, dollars(90));
      await call("PUT", `/auth/users/${holder.userId}/deactivate`, {});
      await at.vote(alice, request);
      expect(await at.fate(request.id)).toMatchObject({ status: "Rejected", authorised: false });
    }
  });
});

describe("changes of rights that are approved, asked for and made at the same moment", () => {
  /** Somebody who may change permissions, and a change by them of somebody else's permission that waits. */
  const change = async (holder: Holder, target: Holder) => {
    const path = `/permissions/${target.permissionId}/assignments`;
    const { body } = await holder.call("POST", path, { identityId: alice.userId });
    return changeSchema.parse(body);
  };

  it("wait for each other, and none is refused for that", async () => {
    await at.policy({ activityKind: "Permissions:Assign", rule: ALWAYS, action: asking(1, alice) });
    const people = await Promise.all(
      TRIES.map(() => at.holder("PermissionAssignments:Create", "Wallets:Read")),
    );
    // each gives away the permission by which the next one may give
    const changes = await Promise.all(
      people.map((holder, index) => change(holder, people[(index + 1) % people.length] ?? holder)),
    );
    const answers = await Promise.all([
      ...changes.map((each) => at.vote(alice, each)),
      ...people.slice(0, 4).map((holder) =>
        admin.call("PUT", `/permissions/${holder.permissionId}`, {
          operations: ["PermissionAssignments:Create", "Wallets:Read", "Keys:Read"],
        }),
      ),
      ...people.slice(4).map(deactivate),
    ]);
    expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 200));
    const fates = await Promise.all(changes.map(({ id }) => at.fate(id)));
    expect(fates.map(({ status }) => status).filter((status) => status === "Pending")).toEqual([]);
  });
});

describe("a right that is taken away while somebody holds the organisation's rights", () => {
  it("INV-9 is not refused because others judge: it waits for them longer than for any other lock", async () => {
    const busy = await startApprovalWorld({
      reach: async (url) => openDatabase({ url, name: "gateway", bounds: { lockMs: 1 } }),
    });
    const holder = await busy.holder("Wallets:TransferAsset");
    const { answer } = await busy.world.database.transaction(async (connection) => {
      await holdRights(connection, busy.world.caller.orgId);
      const revoking = busy.world.call("PUT", `/auth/users/${holder.userId}/deactivate`, {});
      await busy.untilWaiting(1);
      return { answer: revoking };
    });
    expect((await answer).status).toBe(200);
    await busy.world.stop();
  });
});

describe("a policy that is made while rights are changed", () => {
  it("waits for the rights before it measures the room, as a change of a policy does: neither waits for the other", async () => {
    const { made, room } = await at.world.database.transaction(async (connection) => {
      await changeRights(connection, at.world.caller.orgId);
      const making = at.policy({ rule: ALWAYS, action: { kind: "NoAction" } });
      await at.untilWaiting(1);
      return { made: making, room: await measurePolicies(connection, at.world.caller.orgId, undefined) };
    });
    expect([await made, room.count]).toEqual([expect.stringMatching(/^plc-/), 0]);
  });
});
