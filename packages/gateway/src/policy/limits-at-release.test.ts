import { FAMILIES } from "@conclave/chains";
import { approvalIdSchema, makePrices, priceListSchema, transferIdSchema } from "@conclave/custody";
import { processWorld, readApproval, readChainRequest } from "@conclave/platform";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { z } from "zod";
import { releasableRequest } from "../chain-request/release-request.ts";
import {
  ALWAYS,
  type ApprovalWorld,
  type AskedInTest,
  asking,
  dollars,
  startApprovalWorld,
} from "../testing/approval-world.ts";
import { administratorOf, approverOf, type Person } from "../testing/people.ts";
import { readingOf } from "../testing/reading.ts";
import { judgeAgain } from "./judge-again.ts";

let at: ApprovalWorld;
let admin: Person;
let alice: Person;
let bob: Person;
let wallet: { readonly id: string; readonly keyId: string };
beforeAll(async () => {
  at = await startApprovalWorld({ settlementWaitMs: 1_000 });
  admin = administratorOf(at.world);
  [alice, bob] = [await approverOf(at.world), await approverOf(at.world)];
});
afterAll(() => at.world.stop());
beforeEach(async () => {
  wallet = await at.wallet();
});
afterEach(() => at.forget());

const BLOCK = { kind: "Block" };
const velocity = (limit: number, timeframe = 1) => ({
  kind: "TransactionAmountVelocity",
  configuration: { limit: String(limit), currency: "USD", timeframe },
});
const count = (limit: number) => ({
  kind: "TransactionCountVelocity",
  configuration: { limit, timeframe: 1 },
});
const pay = (usd: 90 | 2000 = 90): Promise<AskedInTest> =>
  at.ask(admin, `/wallets/${wallet.id}/transfers`, dollars(usd));
/** Moves a request's date this many seconds back. */
const agedBy = async ({ id }: AskedInTest, seconds: number): Promise<void> => {
  await at.world.database.execute(
    "update wallet_spendings set date = date - make_interval(secs => $2) where request_id = $1",
    [id, seconds],
  );
};
const fates = async (...requests: readonly AskedInTest[]) => {
  const all = await Promise.all(requests.map(({ id }) => at.fate(id)));
  return all.map(({ authorised }) => authorised);
};
const evaluationsOf = ({ id }: AskedInTest) =>
  at.world.database.rows(
    z.object({ policy_id: z.string(), triggered: z.boolean() }),
    "select policy_id, triggered from policy_evaluations where subject_id = $1 order by position",
    [id],
  );

describe("INV-8 judged when: sums and counts, asked; sums and counts, release:", () => {
  it("two payments of 90 USD, asked for a minute apart and approved together, do not pass a limit of 100 USD a minute", async () => {
    await at.policy({ rule: ALWAYS, action: asking(1, alice) });
    const limit = await at.policy({ rule: velocity(100), action: BLOCK });
    const first = await pay();
    await agedBy(first, 61);
    const second = await pay();
    expect([first.status, second.status]).toEqual(["Pending", "Pending"]);
    expect((await at.vote(alice, first)).status).toBe(200);
    expect((await at.vote(alice, second)).status).toBe(200);
    expect(await fates(first, second)).toEqual([true, false]);
    expect(await at.fate(second.id)).toMatchObject({
      status: "Rejected",
      reason: expect.stringMatching(
        new RegExp(`^blocked by policy ${limit}: .*180.00 USD is above the limit of 100`),
      ),
    });
    expect(await at.events(second.id)).toContain("wallet.transfer.rejected");
    // both judgements are recorded, and the last one of each policy is shown
    expect(
      (await evaluationsOf(second)).filter(({ policy_id: id }) => id === limit).map((each) => each.triggered),
    ).toEqual([false, true]);
    const { policyEvaluations } = z
      .object({ policyEvaluations: z.array(z.object({ policyId: z.string(), triggered: z.boolean() })) })
      .parse(await at.approval(second));
    expect(policyEvaluations.filter(({ policyId }) => policyId === limit)).toMatchObject([
      { triggered: true },
    ]);
  });

  it.each([
    ["sum", velocity(100)],
    ["count", count(1)],
  ])("of two that are released at the same moment one is within the %s", async (_, rule) => {
    await at.policy({ rule: ALWAYS, action: asking(1, alice) });
    await at.policy({ rule, action: BLOCK });
    const requests: AskedInTest[] = [];
    for (const aged of [183, 122, 61, 0]) {
      const request = await pay();
      await agedBy(request, aged);
      requests.push(request);
    }
    const votes = await Promise.all(requests.map((request) => at.vote(alice, request)));
    expect(votes.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
    expect((await fates(...requests)).filter(Boolean)).toHaveLength(1);
  });

  it("at the release what waits does not count, so that neither keeps the other from being released", async () => {
    await at.policy({ rule: ALWAYS, action: asking(1, alice) });
    await at.policy({ rule: velocity(100), action: BLOCK });
    const first = await pay();
    await agedBy(first, 61);
    const second = await pay();
    await at.vote(alice, second, "Denied");
    await at.vote(alice, first);
    expect(await fates(first, second)).toEqual([true, false]);
  });

  it("when it is asked for what waits counts", async () => {
    await at.policy({ rule: velocity(100), action: BLOCK });
    const asks = await at.policy({ rule: ALWAYS, action: asking(1, alice) });
    const first = await pay();
    await admin.call("DELETE", `/v2/policies/${asks}`, {});
    expect([first.status, (await pay()).status]).toEqual(["Pending", "Rejected"]);
    expect(await fates(first)).toEqual([false]);
  });

  it("a released one counts once, from its release on, also beside what is asked for later", async () => {
    await at.policy({ rule: ALWAYS, action: asking(1, alice) });
    const first = await pay();
    await agedBy(first, 3_600);
    await at.vote(alice, first);
    await at.forget();
    await at.policy({ rule: velocity(100), action: BLOCK });
    expect((await pay()).status).toBe("Rejected");
    await at.forget();
    await at.policy({ rule: velocity(180), action: BLOCK });
    expect((await pay()).status).toBe("Pending");
  });

  it("a velocity that its approvers have answered does not ask them again", async () => {
    await at.policy({ rule: velocity(80), action: asking(1, alice) });
    const request = await pay();
    await at.vote(alice, request);
    expect(await fates(request)).toEqual([true]);
  });

  it("a velocity that asks nobody yet, and triggers at the release, asks its approvers then", async () => {
    await at.policy({ rule: ALWAYS, action: asking(1, alice) });
    const limit = await at.policy({
      rule: velocity(100),
      action: { ...asking(1, bob), autoRejectTimeout: 7 },
    });
    const first = await pay();
    await agedBy(first, 61);
    const second = await pay();
    await at.vote(alice, first);
    const answered = await at.vote(alice, second);
    expect(answered.body).toMatchObject({
      status: "Pending",
      approvalGroups: [{}, { policyId: limit }],
      expirationDate: expect.stringMatching(/Z$/),
    });
    expect(await fates(first, second)).toEqual([true, false]);
    expect(
      (await at.events(second.approvalId ?? "")).filter((kind) => kind === "policy.approval.pending"),
    ).toHaveLength(2);
    const done = await at.vote(bob, second);
    expect(done.body).toMatchObject({ status: "Approved" });
    expect(await fates(second)).toEqual([true]);
    const [row] = await at.world.database.rows(
      z.object({ policies: z.array(z.string()), approvers: z.array(z.string()) }),
      `select policy_decision -> 'policies' as policies, policy_decision -> 'approvers' as approvers
       from chain_requests where id = $1`,
      [second.id],
    );
    expect(row?.policies).toContain(limit);
    expect(row?.approvers).toEqual([alice.userId, bob.userId]);
  });

  it("is released at once when those who spoke are enough for what is asked further", async () => {
    await at.policy({ rule: ALWAYS, action: asking(1, alice) });
    const request = await pay();
    const further = await at.policy({ rule: ALWAYS, action: asking(1, alice, bob) });
    await at.vote(alice, request);
    expect(await fates(request)).toEqual([true]);
    const timesTriggered = await at.world.database.execute(
      `select from events where kind = 'policy.triggered' and data -> 'policyEvaluation' -> 'policy' ->> 'id' = $1`,
      [further],
    );
    expect(timesTriggered).toBe(1);
  });

  it("counts from its release on too when those who spoke are enough for what is asked further", async () => {
    await at.policy({ rule: ALWAYS, action: asking(1, alice) });
    const request = await pay();
    await agedBy(request, 3_600);
    await at.policy({ rule: ALWAYS, action: asking(1, alice, bob) });
    await at.vote(alice, request);
    expect(await fates(request)).toEqual([true]);
    await at.forget();
    await at.policy({ rule: velocity(100), action: BLOCK });
    expect((await pay()).status).toBe("Rejected");
  });
});

describe("INV-8 judged when: policies and limits, asked; policies and limits, release:", () => {
  it("the decision names a policy that was made meanwhile, and allows it", async () => {
    await at.policy({ rule: ALWAYS, action: asking(1, alice) });
    const request = await pay();
    const since = await at.policy({ rule: velocity(100), action: BLOCK });
    await at.vote(alice, request);
    const [row] = await at.world.database.rows(
      z.object({ policies: z.array(z.string()) }),
      "select policy_decision -> 'policies' as policies from chain_requests where id = $1",
      [request.id],
    );
    expect(row?.policies).toContain(since);
  });

  it("a policy that was made while a request waits blocks it", async () => {
    await at.policy({ rule: ALWAYS, action: asking(1, alice) });
    const request = await pay();
    const freeze = await at.policy({ rule: ALWAYS, action: BLOCK });
    await at.vote(alice, request);
    expect(await at.fate(request.id)).toMatchObject({
      status: "Rejected",
      reason: expect.stringContaining(freeze),
    });
  });

  it("a limit that was lowered while a request waits holds", async () => {
    await at.policy({ rule: ALWAYS, action: asking(1, alice) });
    const limited = { name: "test", activityKind: "Wallets:Sign", action: BLOCK };
    const rule = (limit: number) => ({
      kind: "TransactionAmountLimit",
      configuration: { limit, currency: "USD" },
    });
    const id = await at.policy({ ...limited, rule: rule(100) });
    const request = await pay();
    expect(request.status).toBe("Pending");
    await admin.call("PUT", `/v2/policies/${id}`, { ...limited, rule: rule(80) });
    await at.vote(alice, request);
    expect(await at.fate(request.id)).toMatchObject({
      status: "Rejected",
      reason: expect.stringContaining(id),
    });
  });

  it("a tag that the wallet got since brings it under the policies on that tag", async () => {
    await at.policy({ rule: ALWAYS, action: asking(1, alice) });
    await at.policy({ rule: ALWAYS, action: BLOCK, filters: { walletTags: { hasAny: ["frozen"] } } });
    const request = await pay();
    await admin.call("PUT", `/wallets/${wallet.id}/tags`, { tags: ["frozen"] });
    await at.vote(alice, request);
    expect(await at.fate(request.id)).toMatchObject({ status: "Rejected" });
  });

  it("a policy on changes that was made since asks about a change that waits", async () => {
    const target = await at.policy({ rule: ALWAYS, action: BLOCK });
    await at.policy({ activityKind: "Policies:Modify", rule: ALWAYS, action: asking(1, alice) });
    const { body } = await admin.call("DELETE", `/v2/policies/${target}`, {});
    const change = z.looseObject({ id: z.string(), approvalId: z.string() }).parse(body);
    await at.policy({ activityKind: "Policies:Modify", rule: ALWAYS, action: asking(1, bob) });
    expect((await at.vote(alice, change)).body).toMatchObject({ status: "Pending" });
    expect((await admin.call("GET", `/v2/policies/${target}`)).body).toMatchObject({ status: "Active" });
    expect((await at.vote(bob, change)).body).toMatchObject({ status: "Approved" });
    expect((await admin.call("GET", `/v2/policies/${target}`)).body).toMatchObject({ status: "Archived" });
  });
});

describe("INV-8 judged when: whitelists, asked; whitelists, release:", () => {
  const to = (...addresses: readonly string[]) => ({
    kind: "TransactionRecipientWhitelist",
    configuration: { addresses },
  });
  it("a recipient that was taken off the list while a request waits is paid nothing", async () => {
    await at.policy({ rule: ALWAYS, action: asking(1, alice) });
    const listed = { name: "test", activityKind: "Wallets:Sign", action: BLOCK };
    const id = await at.policy({ ...listed, rule: to(dollars(90).to) });
    const request = await pay();
    expect(request.status).toBe("Pending");
    await admin.call("PUT", `/v2/policies/${id}`, { ...listed, rule: to() });
    expect((await pay()).status).toBe("Rejected");
    await at.vote(alice, request);
    expect(await at.fate(request.id)).toMatchObject({
      status: "Rejected",
      reason: expect.stringContaining("is not on the whitelist"),
    });
  });
});

describe("INV-8 judged when: wallet and key, asked; wallet and key, release:", () => {
  it("nothing is asked of an archived wallet, and nothing released", async () => {
    await at.policy({ rule: ALWAYS, action: asking(1, alice) });
    const request = await pay();
    await admin.call("DELETE", `/keys/${wallet.keyId}`, {});
    const asked = await admin.call("POST", `/wallets/${wallet.id}/transfers`, dollars(90));
    expect(asked.status).toBe(404);
    await at.vote(alice, request);
    expect(await at.fate(request.id)).toMatchObject({ status: "Rejected", authorised: false });
  });
});

describe("INV-8 judged when: prices, asked; prices, release:", () => {
  const limited = () =>
    at.policy({
      rule: { kind: "TransactionAmountLimit", configuration: { limit: 100, currency: "USD" } },
      action: BLOCK,
    });

  it("the price at which it is asked for is that of the moment", async () => {
    await limited();
    expect([(await pay(90)).status, (await pay(2000)).status]).toEqual(["Pending", "Rejected"]);
  });

  it("a request that was within a limit when it was asked for is not, once the price has doubled", async () => {
    await at.policy({ rule: ALWAYS, action: asking(1, alice) });
    const limit = await limited();
    const request = await pay(90);
    const doubled = makePrices(
      priceListSchema(FAMILIES).parse([
        { network: "EthereumSepolia", asset: "Native", EUR: 3600, USD: 4000 },
      ]),
      FAMILIES,
    );
    const judged = await at.world.database.transaction(async (connection) => {
      const { orgId } = at.world.caller;
      const approval = await readApproval(connection, orgId, approvalIdSchema.parse(request.approvalId));
      const found = await readChainRequest(connection, transferIdSchema.parse(request.id));
      if (approval === undefined || found === undefined) return expect.fail("nothing waits");
      const releasing = {
        authority: () => expect.fail("nothing is signed"),
        now: () => new Date(),
        families: FAMILIES,
        chains: new Map(),
        reading: readingOf(new Map()),
      };
      const releasable = await releasableRequest(releasing, connection, found);
      if (!releasable.ok) return expect.fail(releasable.problem.message);
      return judgeAgain(
        { prices: doubled, world: processWorld },
        connection,
        approval,
        releasable.value,
        new Date().toISOString(),
      );
    });
    expect(judged).toMatchObject({
      kind: "Rejected",
      reason: expect.stringMatching(
        new RegExp(`^blocked by policy ${limit}: the amount of 180.00 USD is above`),
      ),
    });
  });
});
