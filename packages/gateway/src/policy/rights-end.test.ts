import { buildTransaction } from "@conclave/chains/evm";
import { SEPOLIA } from "@conclave/chains/testing";
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
import { broadcastRequest } from "../testing/broadcast-request.ts";
import { administratorOf, approverOf, type Person, userOf } from "../testing/people.ts";
import { makeClientKey } from "../testing/signers.ts";

const hash = { kind: "Hash", hash: "ab".repeat(32) };
const MAY_ASK = [
  "Wallets:TransferAsset",
  "Wallets:BroadcastTransaction",
  "Wallets:GenerateSignature",
  "Keys:Signatures:Create",
  "Auth:Pats:Create",
] as const;

let at: ApprovalWorld;
let admin: Person;
let alice: Person;
let wallet: { readonly id: string; readonly keyId: string };
beforeAll(async () => {
  at = await startApprovalWorld({ settlementWaitMs: 1_000 });
  admin = administratorOf(at.world);
  alice = await approverOf(at.world);
});
afterAll(() => at.world.stop());
beforeEach(async () => {
  wallet = await at.wallet();
  await at.policy({ rule: ALWAYS, action: asking(1, alice) });
});
afterEach(() => at.forget());

/** A call with the lowest possible gas price, as the signed transaction of a transfer. */
const SENT = buildTransaction({
  chainId: SEPOLIA.chainId,
  nonce: 0n,
  fees: { kind: "Legacy", gasPrice: 50_000_000_000n },
  gasLimit: 21_000n,
  call: { to: `0x${"12".repeat(20)}`, value: 5n, data: "0x" },
});

/** The path of a broadcast transfer of the wallet, which another person made before the policies. */
const broadcastTransfer = async (): Promise<string> => {
  await at.forget();
  const { id } = await at.ask(admin, `/wallets/${wallet.id}/transfers`, dollars(90));
  await broadcastRequest(at.world, id, SENT);
  await at.policy({ rule: ALWAYS, action: asking(1, alice) });
  return `/wallets/${wallet.id}/transfers/${id}`;
};

const KINDS = [
  "transfers",
  "transactions",
  "wallets' signatures",
  "keys' signatures",
  "speed-ups",
  "cancels",
] as const;
type Kind = (typeof KINDS)[number];
/** Path and body of each kind of request. */
const REQUESTS: Readonly<Record<Kind, () => Promise<readonly [string, unknown]>>> = {
  transfers: async () => [`/wallets/${wallet.id}/transfers`, dollars(90)],
  transactions: async () => [
    `/wallets/${wallet.id}/transactions`,
    { kind: "Evm", to: `0x${"12".repeat(20)}`, value: "5" },
  ],
  "wallets' signatures": async () => [`/wallets/${wallet.id}/signatures`, hash],
  "keys' signatures": async () => [`/keys/${wallet.keyId}/signatures`, hash],
  "speed-ups": async () => [`${await broadcastTransfer()}/speed-up`, {}],
  cancels: async () => [`${await broadcastTransfer()}/cancel`, {}],
};
const askFor = async (who: Person, kind: Kind): Promise<AskedInTest> =>
  at.ask(who, ...(await REQUESTS[kind]()));

/** Expects that a request ends for this reason once people approve it. */
const isEnded = async (request: AskedInTest, reason: RegExp): Promise<void> => {
  expect(request.status).toBe("Pending");
  const { status, body } = await at.vote(alice, request);
  expect([status, body]).toMatchObject([200, { status: "Approved" }]);
  expect(await at.fate(request.id)).toMatchObject({
    status: "Rejected",
    authorised: false,
    reason: expect.stringMatching(reason),
  });
  if (!request.id.startsWith("cr-")) {
    expect((await at.events(request.id)).filter((kind) => kind.endsWith(".rejected"))).toHaveLength(1);
  }
  expect(await at.events(request.approvalId ?? "")).toEqual([
    "policy.approval.pending",
    "policy.approval.resolved",
  ]);
};

/** Each way in which a person's right ends, and the reason that the request then shows. */
const ENDS: readonly (readonly [string, (holder: Holder) => Promise<unknown>, RegExp])[] = [
  [
    "is deactivated",
    ({ userId }) => admin.call("PUT", `/auth/users/${userId}/deactivate`, {}),
    /^us-.*, who asked for it, is active no more$/,
  ],
  [
    "is archived",
    ({ userId }) => admin.call("DELETE", `/auth/users/${userId}`),
    /^us-.*, who asked for it, is active no more$/,
  ],
  [
    "has the permission revoked",
    ({ permissionId, assignmentId }) =>
      admin.call("DELETE", `/permissions/${permissionId}/assignments/${assignmentId}`),
    /who asked for it, has no permission for [\w:]+ any more$/,
  ],
  [
    "has the permission archived",
    ({ permissionId }) => admin.call("PUT", `/permissions/${permissionId}/archive`, { isArchived: true }),
    /who asked for it, has no permission for [\w:]+ any more$/,
  ],
  [
    "has the permission narrowed",
    ({ permissionId }) => admin.call("PUT", `/permissions/${permissionId}`, { operations: ["Wallets:Read"] }),
    /who asked for it, has no permission for [\w:]+ any more$/,
  ],
];

describe.each(ENDS)(
  "INV-8 judged when: the requester's permission, release; the requester's user, token and application, release: of somebody who %s",
  (_, end, reason) => {
    it.each(KINDS)("while it waits, one of the %s is rejected, and says why", async (kind) => {
      const holder = await at.holder(...MAY_ASK);
      const request = await askFor(holder, kind);
      expect(await end(holder)).toMatchObject({ status: 200 });
      await isEnded(request, reason);
    });
  },
);

describe("INV-8 a request that was made with a token", () => {
  it.each([
    ["deactivated", "PUT", "/deactivate"],
    ["archived", "DELETE", ""],
  ])(
    "judged when: the requester's user, token and application, release: that is %s is rejected",
    async (_, method, act) => {
      const holder = await at.holder(...MAY_ASK);
      const robot = await at.withToken(holder);
      const request = await askFor(robot, "transfers");
      expect((await holder.call(method, `/auth/pats/${robot.tokenId}${act}`, {})).status).toBe(200);
      await isEnded(request, /^the token to-.* of us-.*, who asked for it, is active no more$/);
    },
  );

  it("is rejected when the token is narrowed to something else", async () => {
    const holder = await at.holder(...MAY_ASK);
    const robot = await at.withToken(holder);
    const request = await askFor(robot, "transfers");
    const reader = await at.holder("Wallets:Read");
    const given = await admin.call("POST", `/permissions/${reader.permissionId}/assignments`, {
      identityId: robot.tokenId,
    });
    expect(given.status).toBe(200);
    await isEnded(request, /has no permission for Wallets:TransferAsset any more/);
  });

  it("goes on when the token has expired, and the person is there still: time ends asking, and not what was asked", async () => {
    const holder = await at.holder(...MAY_ASK);
    const robot = await at.withToken(holder);
    const request = await askFor(robot, "transfers");
    await at.world.database.execute(
      "update access_tokens set date_expires = now() - interval '1 hour' where id = $1",
      [robot.tokenId],
    );
    await at.vote(alice, request);
    expect(await at.fate(request.id)).toMatchObject({ status: "Pending", authorised: true });
  });

  it.each([
    ["deactivated", "PUT", "/deactivate"],
    ["archived", "DELETE", ""],
  ])(
    "judged when: the requester's user, token and application, release: of an application that is %s is rejected",
    async (_, method, act) => {
      const { permissionId } = await at.holder(...MAY_ASK);
      const application = await at.application(permissionId);
      const request = await askFor(application, "transfers");
      expect((await admin.call(method, `/auth/apps/${application.appId}${act}`, {})).status).toBe(200);
      await isEnded(request, /^the application of us-.*, who asked for it, is active no more$/);
    },
  );

  it("under the name of somebody else's application gets none of its permissions at the release", async () => {
    const { permissionId } = await at.holder(...MAY_ASK);
    const application = await at.application(permissionId);
    const holder = await at.holder(...MAY_ASK);
    const request = await askFor(holder, "transfers");
    await at.world.database.execute(
      "update chain_requests set requester = requester || jsonb_build_object('appId', $2::text) where id = $1",
      [request.id, application.appId],
    );
    await admin.call("DELETE", `/permissions/${holder.permissionId}/assignments/${holder.assignmentId}`);
    await isEnded(request, /has no permission for Wallets:TransferAsset any more/);
  });
});

describe("INV-8 a change that waits", () => {
  beforeEach(() => at.forget());
  const guarded = (activityKind: string) =>
    at.policy({ activityKind, rule: ALWAYS, action: asking(1, alice) });
  const changeSchema = z.looseObject({ id: z.string(), status: z.string(), approvalId: z.string() });
  const deactivate = ({ userId }: Person) => admin.call("PUT", `/auth/users/${userId}/deactivate`, {});
  const changeOf = async (answer: ReturnType<Person["call"]>): Promise<AskedInTest> => {
    const { status, body } = await answer;
    expect([status, body]).toMatchObject([202, { status: "Pending" }]);
    return changeSchema.parse(body);
  };

  it("judged when: the requester's permission, release: of a policy is not made for who may change policies no more", async () => {
    const policyId = await at.policy({ rule: ALWAYS, action: { kind: "Block" } });
    await guarded("Policies:Modify");
    const holder = await at.holder("Policies:Archive");
    const request = await changeOf(holder.call("DELETE", `/v2/policies/${policyId}`, {}));
    await admin.call("DELETE", `/permissions/${holder.permissionId}/assignments/${holder.assignmentId}`);
    await isEnded(request, /has no permission for Policies:Archive any more/);
    expect((await admin.call("GET", `/v2/policies/${policyId}`)).body).toMatchObject({ status: "Active" });
  });

  it("judged when: the requester's user, token and application, release: an assignment is not made for who has left", async () => {
    await guarded("Permissions:Assign");
    const holder = await at.holder("PermissionAssignments:Create", "Wallets:Read");
    const [given, reader] = [await at.holder(), await at.holder("Wallets:Read")];
    const request = await changeOf(
      holder.call("POST", `/permissions/${reader.permissionId}/assignments`, { identityId: given.userId }),
    );
    await deactivate(holder);
    await isEnded(request, /is active no more/);
    expect((await given.call("GET", "/wallets")).status).toBe(403);
  });

  it("judged when: the requester's permission, release: an assignment gives nothing that its requester holds no more", async () => {
    await guarded("Permissions:Assign");
    const [given, reader] = [await at.holder(), await at.holder("Wallets:Read")];
    const holder = await at.holder("PermissionAssignments:Create", "Wallets:Read");
    const request = await changeOf(
      holder.call("POST", `/permissions/${reader.permissionId}/assignments`, { identityId: given.userId }),
    );
    const operations = ["PermissionAssignments:Create"];
    await admin.call("PUT", `/permissions/${holder.permissionId}`, { operations });
    await isEnded(request, /Wallets:Read/);
    expect((await given.call("GET", "/wallets")).status).toBe(403);
  });

  it("judged when: the requester's permission, release: a permission is not widened by who holds no more what it adds", async () => {
    await guarded("Permissions:Modify");
    const holder = await at.holder("Permissions:Update", "Wallets:Read");
    const target = await at.holder("Keys:Read");
    const request = await changeOf(
      holder.call("PUT", `/permissions/${target.permissionId}`, {
        operations: ["Keys:Read", "Wallets:Read"],
      }),
    );
    await at.world.database.execute("update permissions set operations = $2 where id = $1", [
      holder.permissionId,
      JSON.stringify(["Permissions:Update"]),
    ]);
    await isEnded(request, /Wallets:Read/);
    expect((await target.call("GET", "/wallets")).status).toBe(403);
  });
});

describe("tokens end with what they are of, for every operation", () => {
  it("those that a deactivated application made for itself read nothing, not even GET /auth/pats", async () => {
    const { permissionId } = await at.holder("Auth:Pats:Create", "Auth:Users:Create");
    const application = await at.application(permissionId);
    const token = await at.withToken({ ...application, permissionId, assignmentId: "" });
    expect((await token.call("GET", "/auth/pats")).status).toBe(200);
    await admin.call("PUT", `/auth/apps/${application.appId}/deactivate`, {});
    for (const [method, path] of [
      ["GET", "/auth/pats"],
      ["GET", "/wallets"],
      ["POST", "/auth/action/init"],
      ["PUT", "/auth/logout"],
    ] as const) {
      const { status, body } = await token.call(method, path, method === "GET" ? undefined : {});
      expect([path, status, errorOf(body).details.code]).toEqual([path, 401, "TokenInvalid"]);
    }
    await admin.call("PUT", `/auth/apps/${application.appId}/activate`, {});
    expect((await token.call("GET", "/auth/pats")).status).toBe(200);
  });
});

describe("judged when: the requester's permission, asked; the requester's user, token and application, asked:", () => {
  const enders = [
    ["is deactivated", "update users set is_active = false where id = $1"],
    ["loses the permission", "delete from permission_assignments where identity_id = $1"],
  ] as const;
  it.each(enders.flatMap(([what, end]) => KINDS.map((kind) => [what, kind, end] as const)))(
    "INV-8 a requester that %s while one of the %s is read has nothing accepted",
    async (_, kind, end) => {
      const [path, body] = await REQUESTS[kind]();
      await at.forget();
      const holder = await at.holder(...MAY_ASK);
      const rows = await at.world.rows();
      // the right ends after the token was checked, and before the request is stored
      const { asked } = await at.world.database.transaction(async (connection) => {
        await changeRights(connection, at.world.caller.orgId);
        const answer = holder.call("POST", path, body);
        await at.untilWaiting(1);
        await connection.execute(end, [holder.userId]);
        return { asked: answer };
      });
      const answer = await asked;
      expect([answer.status, errorOf(answer.body).details.code]).toEqual([403, "PermissionMissing"]);
      expect(await at.world.rows()).toBe(rows);
    },
  );
});

describe("judged when: wallet and key, asked:", () => {
  const ends = [
    [
      "is archived",
      `with archived as (update keys set status = 'Archived', date_deleted = now() where id = $1 returning id)
       update wallets set status = 'Archived', date_deleted = now() where key_id = (select id from archived)`,
      404,
      (kind: Kind) => (kind === "keys' signatures" ? "KeyNotFound" : "WalletNotFound"),
    ],
    [
      "is somebody else's",
      `update keys set delegated_to = (select id from users where kind = 'EndUser' limit 1) where id = $1`,
      403,
      () => "KeyDelegated",
    ],
  ] as const;
  it.each(ends.flatMap(([what, ...end]) => KINDS.map((kind) => [what, kind, ...end] as const)))(
    "INV-8 of a wallet whose key %s while one of the %s is read nothing is accepted",
    async (_, kind, end, status, code) => {
      const [path, body] = await REQUESTS[kind]();
      await at.forget();
      await userOf(at.world, "EndUser");
      const rows = await at.world.rows();
      // the wallet was judged before, as when a node takes long to answer
      const { asked } = await at.world.database.transaction(async (connection) => {
        await changeRights(connection, at.world.caller.orgId);
        const answer = admin.call("POST", path, body);
        await at.untilWaiting(1);
        await connection.execute(end, [wallet.keyId]);
        return { asked: answer };
      });
      const answer = await asked;
      expect([answer.status, errorOf(answer.body).details.code]).toEqual([status, code(kind)]);
      expect(await at.world.rows()).toBe(rows);
    },
  );
});

describe("a user who makes a machine may make one at that moment", () => {
  const body = () => ({ name: "machine", publicKey: makeClientKey().publicKey });
  const application = {
    kind: "ServerSideApplication",
    relyingPartyId: "localhost",
    origin: "http://localhost:8080",
  };
  it.each([
    ["a service account", "/auth/service-accounts", ["Auth:ServiceAccounts:Create"], {}],
    ["an application", "/auth/apps", ["Auth:Apps:Create", "Auth:Types:Application"], application],
  ] as const)("INV-8 or %s is not made", async (_, path, operations, more) => {
    const maker = await at.holder(...operations);
    expect((await maker.call("POST", path, { ...body(), ...more })).status).toBe(200);
    const { asked } = await at.world.database.transaction(async (connection) => {
      await changeRights(connection, at.world.caller.orgId);
      const answer = maker.call("POST", path, { ...body(), ...more });
      await at.untilWaiting(1);
      await connection.execute("delete from permission_assignments where id = $1", [maker.assignmentId]);
      return { asked: answer };
    });
    const { status, body: refused } = await asked;
    expect([status, errorOf(refused).details.code]).toEqual([403, "PermissionMissing"]);
    const made = await at.world.database.execute("select from users where made_by = $1", [maker.userId]);
    expect(made).toBe(1);
  });
});
