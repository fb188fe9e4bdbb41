import { keyIdSchema } from "@conclave/custody";
import {
  changeRights,
  holdRights,
  lockKey,
  lockSpending,
  measurePolicies,
  openDatabase,
} from "@conclave/platform";
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
import { errorOf } from "../testing/bodies.ts";
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

/** Selects transactions of this world that wait for a row. */
const WAITING_FOR_A_ROW = `select from pg_stat_activity where datname = current_database()
  and wait_event_type = 'Lock' and wait_event in ('transactionid', 'tuple')`;
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
  /** A person who may change permissions, and a waiting change by them of another person's permission. */
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
    // each revokes the permission by which the next person may revoke
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

describe("a key that somebody archives at that moment", () => {
  const ARCHIVE = `with archived as (update keys set status = 'Archived', date_deleted = now() where id = $1 returning id)
    update wallets set status = 'Archived', date_deleted = now() where key_id = (select id from archived)`;
  const BODIES = {
    transfers: dollars(90),
    transactions: { kind: "Evm", to: `0x${"12".repeat(20)}`, value: "5" },
    signatures: { kind: "Hash", hash: "ab".repeat(32) },
  } as const;
  const KINDS = ["transfers", "transactions", "signatures"] as const;
  /** Archives a key in a transaction that holds the key's row, once the other request waits for that row. */
  const archivedBefore = async <T>(keyId: string, other: () => Promise<T>): Promise<T> => {
    const { answer } = await at.world.database.transaction(async (connection) => {
      await lockKey(connection, keyIdSchema.parse(keyId));
      const answer = other();
      await expect.poll(() => at.world.database.execute(WAITING_FOR_A_ROW), { timeout: 10_000 }).toBe(1);
      await connection.execute(ARCHIVE, [keyId]);
      return { answer };
    });
    return answer;
  };

  it.each(KINDS)("INV-8 accepts none of the %s before that is done, and then refuses it", async (kind) => {
    const { id, keyId } = await at.wallet();
    const rows = await at.world.rows();
    const answer = await archivedBefore(keyId, () =>
      admin.call("POST", `/wallets/${id}/${kind}`, BODIES[kind]),
    );
    expect([answer.status, errorOf(answer.body).details.code]).toEqual([404, "WalletNotFound"]);
    expect(await at.world.rows()).toBe(rows);
  });

  it.each(KINDS)("INV-8 releases none of the %s before that is done, and then rejects it", async (kind) => {
    await at.policy({ rule: ALWAYS, action: asking(1, alice) });
    const { id, keyId } = await at.wallet();
    const request = await at.ask(admin, `/wallets/${id}/${kind}`, BODIES[kind]);
    expect((await archivedBefore(keyId, () => at.vote(alice, request))).status).toBe(200);
    expect(await at.fate(request.id)).toMatchObject({ status: "Rejected", authorised: false });
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

describe("tags of a wallet, by which policies find its key", () => {
  const LIMITED = {
    rule: { kind: "TransactionCountVelocity", configuration: { limit: 9, timeframe: 60 } },
    action: { kind: "Block" },
  };
  /** A wallet of the same key on another network. */
  const sisterOf = async ({ id }: { readonly id: string }): Promise<string> => {
    const sister = `wa-aaaaa-ddddd-${id.slice(-16)}`;
    await at.world.database.execute(
      `insert into wallets (id, org_id, key_id, network, status, requester, request_body, address, tags, date_created)
       select $2, org_id, key_id, 'PolygonAmoy', status, requester, request_body, address, '["old"]', now()
         from wallets where id = $1`,
      [id, sister],
    );
    return sister;
  };

  it.each([
    ["put on a sister wallet", "PUT", "new", sisterOf],
    ["taken from a sister wallet", "DELETE", "old", sisterOf],
    ["put on the wallet itself", "PUT", "new", async ({ id }: { readonly id: string }) => id],
  ] as const)(
    "INV-8 %s wait for the judgements under way that looked at them",
    async (_, method, tag, whose) => {
      const wallet = await at.wallet();
      const tagged = await whose(wallet);
      await at.policy(LIMITED);
      const answered: string[] = [];
      const noting = async <T>(what: string, answer: Promise<T>): Promise<T> => {
        const made = await answer;
        answered.push(what);
        return made;
      };
      const { paying, tagging } = await at.world.database.transaction(async (connection) => {
        // the judgement has read the tags, and waits for the lock on the wallet's spending
        await lockSpending(connection, [wallet.id]);
        const paying = noting("paid", at.ask(admin, `/wallets/${wallet.id}/transfers`, dollars(90)));
        await at.untilWaiting(1);
        const tagging = noting("tagged", admin.call(method, `/wallets/${tagged}/tags`, { tags: [tag] }));
        await expect.poll(async () => answered.length + (await at.waiting()), { timeout: 10_000 }).toBe(2);
        expect(answered).toEqual([]);
        return { paying, tagging };
      });
      expect([(await paying).status, (await tagging).status]).toEqual(["Pending", 200]);
    },
  );

  it("INV-8 that are changed while a request comes in decide about it", async () => {
    const wallet = await at.wallet();
    const sister = await sisterOf(wallet);
    await at.policy({ ...LIMITED, rule: ALWAYS, filters: { walletTags: { hasAny: ["new"] } } });
    const { tagging, paying } = await at.world.database.transaction(async (connection) => {
      await holdRights(connection, at.world.caller.orgId);
      const tagging = admin.call("PUT", `/wallets/${sister}/tags`, { tags: ["new"] });
      await at.untilWaiting(1);
      const paying = at.ask(admin, `/wallets/${wallet.id}/transfers`, dollars(90));
      await at.untilWaiting(2);
      return { tagging, paying };
    });
    expect([(await tagging).status, (await paying).status]).toEqual([200, "Rejected"]);
  });

  it("wait before they lock the wallet's row, which the judgement needs: neither waits for the other", async () => {
    const { id, keyId } = await at.wallet();
    const { paying, tagging } = await at.world.database.transaction(async (connection) => {
      await lockKey(connection, keyIdSchema.parse(keyId));
      const paying = at.ask(admin, `/wallets/${id}/transfers`, dollars(90));
      await expect.poll(() => at.world.database.execute(WAITING_FOR_A_ROW), { timeout: 10_000 }).toBe(1);
      const tagging = admin.call("PUT", `/wallets/${id}/tags`, { tags: ["new"] });
      await at.untilWaiting(1);
      return { paying, tagging };
    });
    expect([(await paying).status, (await tagging).status]).toEqual(["Pending", 200]);
  });

  it("are not changed by an operator's statement either while somebody judges; names are", async () => {
    const { id } = await at.wallet();
    const { changed } = await at.world.database.transaction(async (connection) => {
      await holdRights(connection, at.world.caller.orgId);
      await at.world.database.execute("update wallets set name = 'other', tags = tags where id = $1", [id]);
      const changed = at.world.database.execute("update wallets set tags = '[\"new\"]' where id = $1", [id]);
      await at.untilWaiting(1);
      return { changed };
    });
    expect(await changed).toBe(1);
  });
});
