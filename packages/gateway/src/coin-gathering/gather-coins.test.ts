import { type ChainNode, FAMILIES } from "@conclave/chains";
import { NODES } from "@conclave/chains/node";
import { BITCOIN_SIGNET, testAccount } from "@conclave/chains/testing";
import {
  authorisedTransactionSchema,
  fail,
  makePrices,
  networkSchema,
  ok,
  transactionIdSchema,
  walletIdSchema,
} from "@conclave/custody";
import {
  changeRights,
  type Database,
  listEvents,
  makeLogger,
  openDatabase,
  readTransaction,
  takeCoinLooks,
} from "@conclave/platform";
import { orchestratorLogin } from "@conclave/platform/testing";
import { processWorld } from "@conclave/platform/world";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { z } from "zod";
import { makeAuthority } from "../authority.ts";
import { endRightless, judgeRightToRenew } from "../right-to-renew.ts";
import { activateKey } from "../testing/activate-key.ts";
import { WAITING_IN_LINE } from "../testing/approval-world.ts";
import { listOf } from "../testing/bodies.ts";
import { approverOf, userOf } from "../testing/people.ts";
import { CLUSTER, startWorld, type World } from "../testing/world.ts";
import {
  type CoinChain,
  type CoinGatheringParts,
  GATHERED_ABOVE_COINS,
  gatherOn,
  startCoinGathering,
} from "./gather-coins.ts";

const NETWORK = networkSchema.parse(BITCOIN_SIGNET.network);
const DATE = "2026-01-02T03:04:05.678Z";
const MANY = GATHERED_ABOVE_COINS + 1;
const walletSchema = z.object({ id: walletIdSchema, address: z.string() });
const requestSchema = z.object({
  id: transactionIdSchema,
  status: z.string(),
  reason: z.string().optional(),
  approvalId: z.string().optional(),
  requester: z.object({ userId: z.string() }),
  requestBody: z.unknown(),
  details: z.unknown(),
});

let world: World;
let made = 0;
let wallet: z.infer<typeof walletSchema>;
let coins: number;
let isCheap: boolean;
let isAway: boolean;
let asked: string[];
let meanwhile: () => Promise<unknown>;

const enterWallet = async () => {
  made += 1;
  const { publicKey } = testAccount(made.toString(16).padStart(64, "0"));
  const id = await activateKey(world, "ECDSA", publicKey);
  const { body } = await world.call("POST", "/wallets", { network: NETWORK, signingKey: { id } });
  return walletSchema.parse(body);
};

beforeAll(async () => {
  const node = NODES.connect(BITCOIN_SIGNET);
  world = await startWorld({ further: { family: FAMILIES.familyOf(NETWORK), node } });
});
afterAll(() => world.stop());
beforeEach(async () => {
  wallet = await enterWallet();
  [coins, isCheap, isAway, asked, meanwhile] = [MANY, true, false, [], async () => undefined];
});
afterEach(async () => {
  await allow(false);
  await world.database.execute("update policies set status = 'Archived'");
  await world.database.execute("delete from coin_looks");
  await world.database.execute("delete from deposits");
});

/** The gateway's node, whose answers the test determines. */
const chain = (): CoinChain => {
  const gathering: NonNullable<ChainNode["gathering"]> = {
    isCheap: async () => ok(isCheap),
    coinsOf: async (owner) => {
      asked.push(owner);
      await meanwhile();
      if (isAway) return fail("ServiceUnavailable");
      return ok({ coins, body: { kind: "Consolidate", maxFee: "140000", maxFeeRate: "10" } });
    },
  };
  return { ...world.chain, network: BITCOIN_SIGNET, gathering };
};
const partsOf = (database: Database): CoinGatheringParts => ({
  database,
  families: FAMILIES,
  chains: new Map([[NETWORK, chain()]]),
  authority: makeAuthority(world.authoritySigningKey, CLUSTER, () => new Date()),
  prices: makePrices([], FAMILIES),
  now: () => new Date(),
  world: processWorld,
  logger: makeLogger({ name: "test", level: "silent" }),
});
const look = (database = world.database) => gatherOn(partsOf(database), chain());
const allow = async (gathersCoins: boolean) =>
  expect((await world.call("PUT", "/orgs/settings", { gathersCoins })).status).toBe(200);
/** Stores this many payments from outside. @param made minutes since their block was made */
const come = (count: number, made = 0) =>
  world.database.execute(
    `insert into deposits (id, org_id, wallet_id, network, tx_hash, place, moved, asset, block_number, date_detected)
     select 'dep-' || gen_random_uuid(), $1, $2, $3, gen_random_uuid()::text, '0', '{}', '{}', 7, now() - make_interval(mins => $5)
       from generate_series(1, $4::integer)`,
    [world.caller.orgId, wallet.id, NETWORK, count, made],
  );
const becomeDue = () =>
  world.database.execute("update coin_looks set next_look = now() - interval '1 second'");
const requests = async () => {
  const { body } = await world.call("GET", `/wallets/${wallet.id}/transactions`);
  return listOf(body).items.map((item) => requestSchema.parse(item));
};
const theRequest = async () => {
  const [request, ...others] = await requests();
  expect(others).toEqual([]);
  return request ?? expect.fail("none is made");
};
const settle = (id: string, status: string) =>
  world.database.execute("update chain_requests set status = $2 where id = $1", [id, status]);
const guard = async (action: unknown) => {
  const rule = { kind: "AlwaysTrigger", configuration: {} };
  const filters = { walletId: { in: [wallet.id] } };
  const policy = { name: "test", activityKind: "Wallets:Sign", rule, action, filters };
  expect((await world.call("POST", "/v2/policies", policy)).status).toBe(200);
};
const ASK = { kind: "RequestApproval", approvalGroups: [{ quorum: 1, approvers: {} }] };

describe("K7 the coins of a wallet that holds many", () => {
  it("are gathered: a request like any, in the name of who allowed it, that says it is the service's", async () => {
    await allow(true);
    await come(MANY);
    expect(await look()).toBe(1);
    const { id, ...request } = await theRequest();
    expect(request).toMatchObject({
      status: "Pending",
      requester: { userId: world.caller.userId },
      requestBody: { kind: "Consolidate", maxFee: "140000", maxFeeRate: "10" },
      details: { madeBy: "service" },
    });
    expect((await listEvents(world.database, id)).map(({ kind }) => kind)).toEqual([
      "wallet.transaction.requested",
    ]);
    const { authorisation } = (await readTransaction(world.database, id)) ?? expect.fail("it is gone");
    const payload: unknown = JSON.parse(Buffer.from(authorisation?.payload ?? []).toString("utf8"));
    expect(authorisedTransactionSchema.parse(payload)).toMatchObject({
      requestId: id,
      policy: { outcome: "Allowed" },
      transaction: { kind: "Consolidate", from: wallet.address, maxFee: "140000", maxFeeRate: "10" },
    });
    const due = await world.database.rows(z.unknown(), "select from due_requests where id = $1", [id]);
    expect(due).toHaveLength(1);
  });

  it("are gathered by a gateway that runs, without anybody asking", async () => {
    await allow(true);
    await come(MANY);
    const running = startCoinGathering(partsOf(world.database));
    try {
      await expect.poll(requests, { timeout: 10_000 }).toHaveLength(1);
    } finally {
      await running.stop();
    }
  });

  it("are asked about one wallet at a time, with a pause: a node scans for one caller, and payments wait for that", async () => {
    await allow(true);
    await come(MANY);
    wallet = await enterWallet();
    await come(MANY);
    let [offsetMs, rounds] = [0, 0];
    meanwhile = async () => {
      offsetMs += 5 * 60_000;
    };
    const now = () => {
      rounds += 1;
      return new Date(Date.now() + offsetMs);
    };
    const running = startCoinGathering({ ...partsOf(world.database), now });
    try {
      await expect.poll(() => asked.length, { timeout: 10_000 }).toBe(1);
      const before = rounds;
      await expect.poll(() => rounds, { timeout: 20_000 }).toBeGreaterThan(before + 5);
      expect(asked).toHaveLength(1);
      offsetMs += 60_000;
      await expect.poll(() => asked.length, { timeout: 10_000 }).toBe(2);
    } finally {
      await running.stop();
    }
    expect(new Set(asked).size).toBe(2);
  });

  it("judged when: the organisation's word, of coins that the service gathers, asked: only with it", async () => {
    await come(MANY);
    expect(await look()).toBe(0);
    await allow(true);
    meanwhile = () => allow(false);
    expect([await look(), await requests()]).toEqual([0, []]);
    expect(asked).toEqual([wallet.address]);
    await becomeDue();
    expect([await look(), asked.length]).toEqual([0, 1]);
  });

  it("INV-11 are not even asked about where another organisation alone allows it", async () => {
    const stranger = { authorization: `Bearer ${world.strangersToken}` };
    const says = (gathersCoins: boolean) => world.call("PUT", "/orgs/settings", { gathersCoins }, stranger);
    expect((await says(true)).status).toBe(200);
    await come(MANY);
    expect([await look(), asked]).toEqual([0, []]);
    expect((await says(false)).status).toBe(200);
  });

  it("are left while they are few, and the node is not asked for nothing", async () => {
    await allow(true);
    await come(GATHERED_ABOVE_COINS);
    expect([await look(), asked]).toEqual([0, []]);
    await come(1);
    coins = GATHERED_ABOVE_COINS;
    expect([await look(), asked]).toEqual([0, [wallet.address]]);
    await becomeDue();
    expect([await look(), asked.length]).toEqual([0, 1]);
    await come(1);
    coins = MANY;
    expect(await look()).toBe(1);
  });

  it("are gathered though their blocks were made before the last look, and read after it", async () => {
    await allow(true);
    coins = 1;
    await come(MANY);
    expect(await look()).toBe(0);
    coins = MANY;
    await come(MANY, 60);
    await becomeDue();
    expect(await look()).toBe(1);
  });

  it("are gathered though the clock of the gateway that looked before was an hour ahead", async () => {
    await allow(true);
    coins = 1;
    await come(MANY);
    const ahead = () => new Date(Date.now() + 60 * 60_000);
    expect(await gatherOn({ ...partsOf(world.database), now: ahead }, chain())).toBe(0);
    coins = MANY;
    await come(MANY);
    await becomeDue();
    expect(await look()).toBe(1);
  });

  it("are left while fees are high", async () => {
    await allow(true);
    await come(MANY);
    isCheap = false;
    expect([await look(), asked]).toEqual([0, []]);
    isCheap = true;
    expect(await look()).toBe(1);
  });

  it("INV-4 are gathered once, however many gateways look, and one at a time", async () => {
    await allow(true);
    await come(MANY);
    const other = openDatabase({ url: world.databaseUrl, name: "gateway" });
    const rounds = await Promise.all([look(), look(other), look(), look(other), look(), look(other)]);
    await other.close();
    expect(rounds.reduce((sum, count) => sum + count, 0)).toBe(1);
    const first = await theRequest();
    expect(await look()).toBe(0);
    for (const status of ["Pending", "Executing", "Broadcasted"]) {
      await settle(first.id, status);
      await becomeDue();
      expect([status, await look()]).toEqual([status, 0]);
    }
    await settle(first.id, "Confirmed");
    await becomeDue();
    expect([await look(), (await requests()).length]).toEqual([1, 2]);
  });

  it("INV-4 are gathered once when the gateway that looked was paused, and another looks in its place", async () => {
    await allow(true);
    await come(MANY);
    meanwhile = async () => {
      meanwhile = async () => undefined;
      await becomeDue();
      expect(await look()).toBe(1);
    };
    expect(await look()).toBe(0);
    await theRequest();
  });

  it("INV-5 are gathered at the next look when a gateway dies in the middle of one", async () => {
    await allow(true);
    await come(MANY);
    const looks = { above: GATHERED_ABOVE_COINS, everyMs: 60_000, limit: 4 };
    expect(await takeCoinLooks(world.database, NETWORK, looks)).toMatchObject([{ walletId: wallet.id }]);
    expect([await look(), await requests()]).toEqual([0, []]);
    await becomeDue();
    expect(await look()).toBe(1);
  });

  it("INV-4 are looked at by one of two of which the other began before", async () => {
    await allow(true);
    await come(MANY);
    const looks = { above: GATHERED_ABOVE_COINS, everyMs: 60_000, limit: 4 };
    const [earlier, later] = await world.database.transaction(async (connection) => {
      // fixes the transaction's time before the other gateway claims the looks
      await connection.execute("select now()");
      const first = await takeCoinLooks(world.database, NETWORK, looks);
      return [await takeCoinLooks(connection, NETWORK, looks), first];
    });
    expect([earlier, later]).toMatchObject([[], [{ walletId: wallet.id }]]);
    await world.database.execute("update coin_looks set next_look = now() + interval '1 day'");
    expect(await takeCoinLooks(world.database, NETWORK, looks)).toMatchObject([{ walletId: wallet.id }]);
  });

  it("are asked about again soon when the node does not answer", async () => {
    await allow(true);
    await come(MANY);
    isAway = true;
    expect([await look(), await requests()]).toEqual([0, []]);
    const soon = await world.database.rows(
      z.unknown(),
      "select from coin_looks where next_look < now() + interval '11 minutes' and coins is null",
      [],
    );
    expect(soon).toHaveLength(1);
    isAway = false;
    await becomeDue();
    expect(await look()).toBe(1);
  });

  it("INV-8 are left by a policy that blocks, which is on record, and tried again a day later", async () => {
    await allow(true);
    await come(MANY);
    await guard({ kind: "Block" });
    await look();
    expect(await theRequest()).toMatchObject({
      status: "Rejected",
      reason: expect.stringContaining("blocked by policy"),
    });
    expect([await look(), (await requests()).length]).toEqual([0, 1]);
  });

  it("INV-8 are gathered once people approve, where a policy asks; who allowed it cannot", async () => {
    await allow(true);
    await come(MANY);
    await guard(ASK);
    await look();
    const { id, approvalId } = await theRequest();
    expect((await readTransaction(world.database, id))?.authorisation).toBeUndefined();
    const path = `/v2/policy-approvals/${approvalId}/decisions`;
    expect((await world.call("POST", path, { value: "Approved" })).status).toBe(403);
    expect((await (await approverOf(world)).call("POST", path, { value: "Approved" })).status).toBe(200);
    expect((await readTransaction(world.database, id))?.authorisation).toBeDefined();
  });

  it("judged when: the organisation's word, of coins that the service gathers, release: is taken back meanwhile", async () => {
    await allow(true);
    await come(MANY);
    await guard(ASK);
    await look();
    const { approvalId } = await theRequest();
    await allow(false);
    const path = `/v2/policy-approvals/${approvalId}/decisions`;
    expect((await (await approverOf(world)).call("POST", path, { value: "Approved" })).status).toBe(200);
    expect(await theRequest()).toMatchObject({
      status: "Rejected",
      reason: expect.stringContaining("does not let the service gather coins any more"),
    });
  });

  it("judged when: the organisation's word, of coins that the service gathers, renewal: it ends unsigned", async () => {
    await allow(true);
    await come(MANY);
    await look();
    const { id } = await theRequest();
    const judged = () =>
      world.database.transaction((connection) =>
        judgeRightToRenew(connection, { table: "chain_requests", id }),
      );
    expect(await judged()).toMatchObject({ ok: true });
    await allow(false);
    expect(await judged()).toMatchObject({ ok: false, problem: { code: "PermissionMissing" } });
    await endRightless(world.database, { table: "chain_requests", id }, DATE);
    expect(await theRequest()).toMatchObject({
      status: "Rejected",
      reason: expect.stringContaining("does not let the service gather coins any more"),
    });
  });

  it.each([
    ["archived", "update wallets set status = 'Archived', date_deleted = now() where id = $1"],
    [
      "an end user's",
      "update keys set delegated_to = $2 where id = (select key_id from wallets where id = $1)",
    ],
  ])("are left where the wallet is %s, or becomes it in the middle of a look", async (_, change) => {
    await allow(true);
    await come(MANY);
    const endUser = await userOf(world, "EndUser");
    const values = change.includes("$2") ? [wallet.id, endUser] : [wallet.id];
    meanwhile = () => world.database.execute(change, values);
    expect([await look(), await requests(), asked.length]).toEqual([0, [], 1]);
    await becomeDue();
    expect([await look(), asked.length]).toEqual([0, 1]);
  });

  it("INV-8 are left once who allowed it has left, until somebody else allows it", async () => {
    const { caller, token } = await world.tokenOf(["Orgs:Settings:Update", "Wallets:Transactions:Create"]);
    const bearer = { authorization: `Bearer ${token}` };
    const allowed = await world.call("PUT", "/orgs/settings", { gathersCoins: true }, bearer);
    expect(allowed.body).toMatchObject({ gathersCoins: true, gathersCoinsFor: { userId: caller.userId } });
    await world.database.execute("update users set is_active = false where id = $1", [caller.userId]);
    await come(MANY);
    expect([await look(), await requests()]).toEqual([0, []]);
    await allow(true);
    await becomeDue();
    expect(await look()).toBe(1);
    expect(await theRequest()).toMatchObject({ requester: { userId: world.caller.userId } });
  });

  it("INV-8 are gathered in the name of who allows it now, where another one did when it was decided", async () => {
    const { token } = await world.tokenOf(["Orgs:Settings:Update", "Wallets:Transactions:Create"]);
    const bearer = { authorization: `Bearer ${token}` };
    expect((await world.call("PUT", "/orgs/settings", { gathersCoins: true }, bearer)).status).toBe(200);
    await come(MANY);
    const { looking } = await world.database.transaction(async (connection) => {
      await changeRights(connection, world.caller.orgId);
      const looking = look();
      await expect.poll(() => world.database.execute(WAITING_IN_LINE), { timeout: 10_000 }).toBe(1);
      await connection.execute(
        "update organisations set gathers_coins_for = jsonb_build_object('userId', $2::text) where id = $1",
        [world.caller.orgId, world.caller.userId],
      );
      return { looking };
    });
    expect(await looking).toBe(1);
    expect(await theRequest()).toMatchObject({ requester: { userId: world.caller.userId } });
  });
});

describe("the organisation's leave for the service", () => {
  const SETTINGS = "/orgs/settings";

  it("is nothing until somebody says so, and is one organisation's alone (INV-11)", async () => {
    expect(await world.call("GET", SETTINGS)).toMatchObject({ status: 200, body: { gathersCoins: false } });
    await allow(true);
    const { body } = await world.call("GET", SETTINGS);
    expect(body).toMatchObject({ gathersCoins: true, gathersCoinsFor: { userId: world.caller.userId } });
    const stranger = { authorization: `Bearer ${world.strangersToken}` };
    expect((await world.call("GET", SETTINGS, undefined, stranger)).body).toEqual({ gathersCoins: false });
    await world.call("PUT", SETTINGS, { gathersCoins: false }, stranger);
    expect((await world.call("GET", SETTINGS)).body).toEqual(body);
  });

  it.each([
    [["Orgs:Settings:Update"], { on: 403, off: 200 }],
    [["Wallets:Transactions:Create"], { on: 403, off: 403 }],
    [["Orgs:Settings:Read", "Wallets:Transactions:Create"], { on: 403, off: 403 }],
    [["Orgs:Settings:Update", "Wallets:BroadcastTransaction"], { on: 200, off: 200 }],
  ] as const)("is said, and taken back, by somebody who may do %j: %j", async (operations, { on, off }) => {
    const { token } = await world.tokenOf(operations);
    const bearer = { authorization: `Bearer ${token}` };
    const say = (gathersCoins: boolean) => world.call("PUT", SETTINGS, { gathersCoins }, bearer);
    expect((await say(true)).status).toBe(on);
    await allow(true);
    expect((await say(false)).status).toBe(off);
    expect((await world.call("GET", SETTINGS)).body).toMatchObject({ gathersCoins: off !== 200 });
  });

  it("INV-8 is not said by who loses the right at the same moment, nor taken back", async () => {
    const { caller, token } = await world.tokenOf(["Orgs:Settings:Update", "Wallets:Transactions:Create"]);
    const bearer = { authorization: `Bearer ${token}` };
    for (const gathersCoins of [true, false]) {
      await allow(!gathersCoins);
      const { answer } = await world.database.transaction(async (connection) => {
        await changeRights(connection, world.caller.orgId);
        const answer = world.call("PUT", SETTINGS, { gathersCoins }, bearer);
        await expect.poll(() => world.database.execute(WAITING_IN_LINE), { timeout: 10_000 }).toBe(1);
        await connection.execute("update users set is_active = false where id = $1", [caller.userId]);
        return { answer };
      });
      expect((await answer).status).toBe(403);
      expect((await world.call("GET", SETTINGS)).body).toMatchObject({ gathersCoins: !gathersCoins });
      await world.database.execute("update users set is_active = true where id = $1", [caller.userId]);
    }
  });

  it.each([[{}], [{ gathersCoins: "yes" }], [{ gathersCoins: null }], [{ gathersCoins: true, more: 1 }]])(
    "INV-9 is not %j",
    async (body) => {
      expect((await world.call("PUT", SETTINGS, body)).status).toBe(400);
      expect((await world.call("GET", SETTINGS)).body).toEqual({ gathersCoins: false });
    },
  );

  it("INV-8 is out of the orchestrators' reach, as is the mark of what the service makes", async () => {
    await allow(true);
    await come(MANY);
    await look();
    const { id } = await theRequest();
    const login = openDatabase({ url: await orchestratorLogin(world.databaseUrl), name: "orchestrator" });
    const denied = { code: "42501" };
    const change = (sql: string, ...values: readonly string[]) => login.execute(sql, values);
    await expect(change("update organisations set gathers_coins_for = null")).rejects.toMatchObject(denied);
    await expect(change("delete from coin_looks")).rejects.toMatchObject(denied);
    await expect(
      change("update chain_requests set is_gathering = false where id = $1", id),
    ).rejects.toMatchObject(denied);
    await login.close();
  });
});
