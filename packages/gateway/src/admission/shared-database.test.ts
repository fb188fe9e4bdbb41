import { openDatabase } from "@conclave/platform";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type ApprovalWorld, asking, dollars, startApprovalWorld } from "../testing/approval-world.ts";
import { errorOf } from "../testing/bodies.ts";
import { administratorOf, approverOf, type Person } from "../testing/people.ts";
import { ADMISSION_LIMITS } from "./limits.ts";

const AT_ONCE = 48;
const CONNECTIONS = 4;
/** longer than a busy machine needs */
const PATIENCE = { waitMs: 120_000 };
const BOUNDS = { lockMs: 8_000 };
const TIMEFRAMES = Array.from({ length: 20 }, (_, at) => at + 1);

const ANY_POLICY = {
  name: "any",
  activityKind: "Wallets:Sign",
  rule: { kind: "AlwaysTrigger", configuration: {} },
  action: { kind: "NoAction" },
};

let at: ApprovalWorld;
let admin: Person;
let alice: Person;
beforeAll(async () => {
  at = await startApprovalWorld({
    reach: async (url) => openDatabase({ url, name: "gateway", maxConnections: CONNECTIONS, bounds: BOUNDS }),
    admission: {
      connections: { ...ADMISSION_LIMITS.connections, ...PATIENCE, atOnce: 3, atOnceOfOne: 2 },
      statements: { ...ADMISSION_LIMITS.statements, ...PATIENCE, atOnce: 3, atOnceOfOne: 2 },
      keys: { ...ADMISSION_LIMITS.keys, ...PATIENCE },
    },
  });
  [admin, alice] = [administratorOf(at.world), await approverOf(at.world)];
  for (const timeframe of TIMEFRAMES) {
    await at.policy({
      rule: { kind: "TransactionCountVelocity", configuration: { limit: 1_000, timeframe } },
      action: { kind: "Block" },
    });
  }
});
afterAll(() => at.world.stop());

const strangers = (method: string, path: string, body?: unknown) =>
  at.world.call(method, path, body, { authorization: `Bearer ${at.world.strangersToken}` });
/** Holds the lock on a wallet's spending, as a long judgement does, until `letGo`. */
const holdPast = async ({ world }: ApprovalWorld, walletId: string) => {
  let letGo = (): void => undefined;
  const held = new Promise<void>((resolve) => {
    letGo = resolve;
  });
  let isHeld = (): void => undefined;
  const begun = new Promise<void>((resolve) => {
    isHeld = resolve;
  });
  const holding = world.database.transaction(async (connection) => {
    await connection.execute("select pg_advisory_xact_lock(hashtextextended($1, 0))", [walletId]);
    isHeld();
    await held;
  });
  await begun;
  return async () => {
    letGo();
    await holding;
  };
};

describe("INV-9 an organisation whose requests wait for each other", () => {
  it("has 48 transfers of one wallet accepted under 20 velocities, and strangers are served meanwhile", async () => {
    const wallet = await at.wallet();
    const letGo = await holdPast(at, wallet.id);
    const transfers = Array.from({ length: AT_ONCE }, () =>
      admin.call("POST", `/wallets/${wallet.id}/transfers`, dollars(90)),
    );
    await at.untilWaiting(1);
    const served = await Promise.all([
      strangers("GET", "/wallets"),
      strangers("POST", "/wallets", { network: "EthereumSepolia" }),
      strangers("POST", "/v2/policies", ANY_POLICY),
    ]);
    // the other transfers wait for their turn at the key, without a connection
    expect(await at.waiting()).toBe(1);
    await letGo();
    expect(served.map(({ status }) => status)).toEqual([200, 200, 200]);
    expect((await Promise.all(transfers)).map(({ status }) => status)).toEqual(transfers.map(() => 200));
  }, 180_000);

  it("has no more than its share of the connections for single statements, which lists may take long for", async () => {
    const lists = await at.world.database.transaction(async (connection) => {
      await connection.execute("lock table policy_approvals in access exclusive mode");
      const asked = Array.from({ length: 10 }, () => admin.call("GET", "/v2/policy-approvals"));
      const waiting = () =>
        at.world.database.execute(
          "select from pg_locks where relation = 'policy_approvals'::regclass and not granted",
        );
      await expect.poll(waiting).toBe(2);
      expect([(await strangers("GET", "/wallets")).status, await waiting()]).toEqual([200, 2]);
      return { asked };
    });
    expect((await Promise.all(lists.asked)).map(({ status }) => status)).toEqual(lists.asked.map(() => 200));
  });

  it("has no more than its share of the connections, whatever its transactions wait for", async () => {
    const wallets = await Promise.all(TIMEFRAMES.slice(0, 6).map(() => at.wallet()));
    const letGo = await Promise.all(wallets.map(({ id }) => holdPast(at, id)));
    const transfers = wallets.map(({ id }) => admin.call("POST", `/wallets/${id}/transfers`, dollars(90)));
    await at.untilWaiting(2);
    const served = await strangers("POST", "/wallets", { network: "EthereumSepolia" });
    expect([served.status, await at.waiting()]).toEqual([200, 2]);
    await Promise.all(letGo.map((each) => each()));
    expect((await Promise.all(transfers)).map(({ status }) => status)).toEqual(transfers.map(() => 200));
  });

  it("votes too are within its share", async () => {
    const policy = await at.policy({
      rule: { kind: "AlwaysTrigger", configuration: {} },
      action: asking(1, alice),
    });
    const wallet = await at.wallet();
    const requests = await Promise.all(
      TIMEFRAMES.slice(0, 6).map(() => at.ask(admin, `/wallets/${wallet.id}/transfers`, dollars(90))),
    );
    const letGo = await holdPast(at, wallet.id);
    const votes = requests.map((request) => at.vote(alice, request));
    await at.untilWaiting(1);
    const served = await strangers("POST", "/wallets", { network: "EthereumSepolia" });
    expect(served.status).toBe(200);
    expect(await at.waiting()).toBeLessThanOrEqual(2);
    await letGo();
    expect((await Promise.all(votes)).map(({ status }) => status)).toEqual(votes.map(() => 200));
    await admin.call("DELETE", `/v2/policies/${policy}`, {});
  });
});

describe("requests of one key", () => {
  it("INV-9 are refused beyond a number that waits, and nothing of them is on record", async () => {
    const small = await startApprovalWorld({
      admission: { keys: { ...ADMISSION_LIMITS.keys, ...PATIENCE, waitingOfOne: 1 } },
    });
    await small.policy({
      rule: { kind: "TransactionCountVelocity", configuration: { limit: 9, timeframe: 1 } },
      action: { kind: "Block" },
    });
    const wallet = await small.wallet();
    const letGo = await holdPast(small, wallet.id);
    const rows = await small.world.rows();
    const pay = () => small.world.call("POST", `/wallets/${wallet.id}/transfers`, dollars(90));
    const answers = [pay(), pay(), pay()];
    const refused = await Promise.race(answers);
    expect([refused.status, refused.headers.get("retry-after"), errorOf(refused.body).details.code]).toEqual([
      429,
      "1",
      "TooManyAtOnce",
    ]);
    expect(await small.world.rows()).toBe(rows);
    await letGo();
    const statuses = (await Promise.all(answers)).map(({ status }) => status);
    expect(statuses.toSorted()).toEqual([200, 200, 429]);
    await small.world.stop();
  });
});
