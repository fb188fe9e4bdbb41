import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { keyIdSchema, organisationIdSchema, policyIdSchema, walletIdSchema } from "../identifiers.ts";
import { networkSchema } from "../network.ts";
import { NOTHING_SPENT, type SigningActivity, type SigningFacts, type Spent } from "./activity.ts";
import { type Effects, moves, NATIVE_ASSET, opaque } from "./effects.ts";
import { evaluatePolicies, policiesAgainstExport, timeframesOf } from "./evaluation.ts";
import { parseFiat } from "./fiat.ts";
import type { Policy } from "./policy.ts";
import { type PolicyBody, policyBodySchema } from "./policy-body.ts";
import { makePrices, priceListSchema, worthOf } from "./prices.ts";

const id = (prefix: string, letter: string) => `${prefix}-aaaaa-bbbbb-${letter.repeat(16)}`;
const NETWORK = networkSchema.parse("EthereumSepolia");
const USDC = `0x${"c1".repeat(20)}`;
const FRIEND = `0x${"aB".repeat(20)}`;
const STRANGER = `0x${"99".repeat(20)}`;
const spell = (address: string): string => address.toLowerCase();
const families = { find: () => ({ nativeAsset: () => ({ decimals: 18 }), spell }) };
const ETHER = 10n ** 18n;
const wallet = (letter: string, tags: readonly string[] = []) => ({
  id: walletIdSchema.parse(id("wa", letter)),
  tags,
});
const PRICES = makePrices(
  priceListSchema(families).parse([
    { network: NETWORK, asset: NATIVE_ASSET, EUR: "1800.50", USD: 2000 },
    { network: NETWORK, asset: USDC.toUpperCase().replace("0X", "0x"), decimals: 6, EUR: "0.9", USD: "1" },
  ]),
  families,
);

const native = (wei: bigint, recipient = FRIEND): Effects =>
  moves({ asset: NATIVE_ASSET, amount: wei.toString(), recipient });
const usdc = (units: bigint, recipient = FRIEND): Effects =>
  moves({ asset: USDC, amount: units.toString(), recipient });

const activity = (effects: Effects, wallets = [wallet("w")]): SigningActivity => ({
  kind: "Wallets:Sign",
  keyId: keyIdSchema.parse(id("key", "k")),
  wallets,
  effects,
  spell,
});
const factsOf = (effects: Effects, spent: Partial<Spent> = {}): SigningFacts => ({
  value: worthOf(effects, NETWORK, PRICES),
  spent: () => ({ ...NOTHING_SPENT, ...spent }),
});

type Rule = Extract<PolicyBody, { activityKind: "Wallets:Sign" }>["rule"];
const policy = (
  change: Readonly<Record<string, unknown>>,
  letter = "p",
  status: Policy["status"] = "Active",
) => ({
  id: policyIdSchema.parse(id("plc", letter)),
  orgId: organisationIdSchema.parse(id("or", "o")),
  status,
  body: policyBodySchema.parse({
    name: "policy",
    activityKind: "Wallets:Sign",
    rule: { kind: "AlwaysTrigger" },
    action: { kind: "Block" },
    ...change,
  }),
  dateCreated: "2026-01-01T00:00:00.000Z",
  dateUpdated: "2026-01-01T00:00:00.000Z",
});
const judge = (rule: Rule, effects: Effects, spent: Partial<Spent> = {}) =>
  evaluatePolicies([policy({ rule })], activity(effects), factsOf(effects, spent)).evaluations[0];

const amountLimit = (limit: string | number, currency: "EUR" | "USD" = "USD"): Rule => ({
  kind: "TransactionAmountLimit",
  configuration: { limit, currency },
});
const velocity = (limit: string): Rule => ({
  kind: "TransactionAmountVelocity",
  configuration: { limit, currency: "USD", timeframe: 60 },
});
const count = (limit: number | string): Rule => ({
  kind: "TransactionCountVelocity",
  configuration: { limit, timeframe: 60 },
});
const whitelist = (...addresses: string[]): Rule => ({
  kind: "TransactionRecipientWhitelist",
  configuration: { addresses },
});
const dollars = (amount: number): bigint => parseFiat(amount) ?? 0n;
/** Effects with a fee, which only the block's producer receives. */
const fee = (wei: bigint, effects: Effects = moves()): Effects => ({ ...effects, fee: wei.toString() });
const replaced = (amount: number) => ({ replaced: { EUR: 0n, USD: dollars(amount) } });
const collectible = moves({ asset: USDC, amount: undefined, recipient: FRIEND });

describe("a rule", () => {
  it.each<[string, boolean, Rule, Effects, Partial<Spent>]>([
    ["that always triggers", true, { kind: "AlwaysTrigger" }, native(1n), {}],
    ["on amounts, at the limit", false, amountLimit("2000"), native(ETHER), {}],
    ["on amounts, a wei above it", true, amountLimit("2000"), native(ETHER + 1n), {}],
    ["on amounts, with a limit that is a number", true, amountLimit(1999.99), native(ETHER), {}],
    ["on amounts in euro, within it", false, amountLimit("1800.5", "EUR"), native(ETHER), {}],
    ["on amounts in euro, above it", true, amountLimit("1800.49", "EUR"), native(ETHER), {}],
    ["on amounts of a token, within it", false, amountLimit(5), usdc(5_000_000n), {}],
    ["on amounts of a token, above it", true, amountLimit(5), usdc(5_000_001n), {}],
    ["on amounts, of nothing", false, amountLimit(0), native(0n), {}],
    [
      "on amounts, of a token without a price",
      true,
      amountLimit(1e6),
      moves({ asset: STRANGER, amount: "1", recipient: FRIEND }),
      {},
    ],
    ["on amounts, of a collectible", true, amountLimit(1e6), collectible, {}],
    ["on amounts, of what nobody can read", true, amountLimit(1e6), opaque("a hash"), {}],
    [
      "on amounts, of one part that nobody can read",
      true,
      amountLimit(1e6),
      { movements: native(1n).movements, unknown: "call data" },
      {},
    ],
    [
      "on amounts, of two movements that only together are above",
      true,
      amountLimit(3),
      moves(...usdc(2_000_000n).movements, ...usdc(2_000_000n).movements),
      {},
    ],
    ["on amounts, of a fee at the limit", false, amountLimit("2000"), fee(ETHER), {}],
    ["on amounts, of a fee above it", true, amountLimit("2000"), fee(ETHER + 1n), {}],
    [
      "on amounts, of a payment that only its fee lifts above",
      true,
      amountLimit(5),
      fee(1n, usdc(5_000_000n)),
      {},
    ],
    ["on amounts, of no fee", false, amountLimit(0), fee(0n), {}],
    ["on recipients, of a fee", false, whitelist(FRIEND), fee(ETHER, native(1n)), {}],
    ["on sums, of a fee", true, velocity("100"), fee(ETHER), {}],
    [
      "on sums, below what it replaces",
      false,
      velocity("100"),
      usdc(40_000_001n),
      { count: 1, ...replaced(100) },
    ],
    [
      "on sums, above what it replaces",
      true,
      velocity("100"),
      usdc(100_000_001n),
      { count: 1, ...replaced(60) },
    ],
    [
      "on sums, beside others than what it replaces",
      true,
      velocity("100"),
      usdc(1n),
      { count: 2, USD: dollars(40), ...replaced(61) },
    ],
    ["on sums, at the limit", false, velocity("100"), usdc(40_000_000n), { count: 1, USD: dollars(60) }],
    ["on sums, above it", true, velocity("100"), usdc(40_000_001n), { count: 1, USD: dollars(60) }],
    ["on sums, after one of unknown value", true, velocity("1000000"), usdc(1n), { count: 1, unknown: 1 }],
    ["on sums, of what nobody can read", true, velocity("1000000"), opaque("a hash"), {}],
    ["on counts, at the limit", false, count(3), opaque("a hash"), { count: 2 }],
    ["on counts, above it", true, count("3"), native(0n), { count: 3 }],
    ["on counts, of nothing at all", true, count(0), native(0n), {}],
    ["on recipients, to one in another case", false, whitelist(FRIEND.toLowerCase()), native(1n), {}],
    ["on recipients, to a stranger", true, whitelist(FRIEND), native(1n, STRANGER), {}],
    [
      "on recipients, when one of two is a stranger",
      true,
      whitelist(FRIEND),
      moves(...usdc(1n).movements, ...usdc(1n, STRANGER).movements),
      {},
    ],
    ["on recipients, with an empty list", true, whitelist(), native(1n), {}],
    ["on recipients, to one that nobody can read", true, whitelist(FRIEND), opaque("a hash"), {}],
    ["on recipients, of what leaves the wallet to nobody", false, whitelist(FRIEND), moves(), {}],
  ])("%s: %s", (_, triggered, rule, effects, spent) => {
    expect(judge(rule, effects, spent)?.triggered).toBe(triggered);
  });

  it("says in words and figures what it compared", () => {
    expect(judge(amountLimit("5"), usdc(5_000_001n))).toEqual({
      policyId: id("plc", "p"),
      triggered: true,
      reason: "the amount of 5.01 USD is above the limit of 5 USD",
      context: { transactionAmount: { value: 5.01, currency: "USD" } },
    });
  });

  it("says how much of it are fees, which the caller may not expect", () => {
    expect(judge(amountLimit("5"), fee(ETHER, usdc(1_000_000n)))?.reason).toBe(
      "the amount of 2001.00 USD, of which up to 2000.00 USD are fees, is above the limit of 5 USD",
    );
  });

  it("triggers on a fee in a coin that has no price", () => {
    const unpriced = makePrices([], families);
    const value = worthOf(fee(1n), NETWORK, unpriced);
    expect(value).toEqual({ known: false, reason: expect.stringContaining("the price of Native") });
    expect(worthOf(moves(), NETWORK, unpriced).known).toBe(true);
  });

  it("never lets more through than its limit, whatever the amounts are", () => {
    const amount = fc.bigInt({ min: 0n, max: 10n ** 30n });
    fc.assert(
      fc.property(amount, amount, fc.bigInt({ min: 0n, max: 10n ** 14n }), (now, before, limit) => {
        const outcome = judge(velocity(limit.toString()), usdc(now), { USD: before });
        const sum = now * 10n ** 12n + before;
        expect(outcome?.triggered).toBe(sum > limit * ETHER);
      }),
    );
  });
});

describe("a policy", () => {
  it.each<[string, boolean, Readonly<Record<string, unknown>>]>([
    ["without filters", true, {}],
    ["with empty filters", true, { walletId: { in: [] }, walletTags: { hasAny: [], hasAll: [] } }],
    ["on this wallet", true, { walletId: { in: [wallet("x").id, wallet("w").id] } }],
    ["on another wallet", false, { walletId: { in: [wallet("x").id] } }],
    ["on one of its tags", true, { walletTags: { hasAny: ["cold", "hot"] } }],
    ["on none of its tags", false, { walletTags: { hasAny: ["cold"] } }],
    ["on all of its tags", true, { walletTags: { hasAll: ["hot", "eu"] } }],
    ["on more than its tags", false, { walletTags: { hasAll: ["hot", "us"] } }],
    [
      "on this wallet and a tag that it lacks",
      false,
      { walletId: { in: [wallet("w").id] }, walletTags: { hasAll: ["us"] } },
    ],
  ])("%s applies: %s", (_, applies, filters) => {
    const verdict = evaluatePolicies(
      [policy({ filters })],
      activity(native(1n), [wallet("w", ["hot", "eu"])]),
    );
    expect(verdict.kind).toBe(applies ? "Blocked" : "Allowed");
  });

  it("applies as soon as one of the wallets that a signature speaks for is its own", () => {
    const filters = { walletId: { in: [wallet("x").id] } };
    expect(
      evaluatePolicies([policy({ filters })], activity(opaque("a hash"), [wallet("w"), wallet("x")])).kind,
    ).toBe("Blocked");
    expect(evaluatePolicies([policy({ filters })], activity(opaque("a hash"), [])).kind).toBe("Allowed");
    expect(evaluatePolicies([policy({})], activity(opaque("a hash"), [])).kind).toBe("Blocked");
  });

  it("that is archived applies to nothing", () => {
    expect(evaluatePolicies([policy({}, "p", "Archived")], activity(native(1n)))).toEqual({
      kind: "Allowed",
      evaluations: [],
    });
  });

  it("on changes of policies applies to those that it names, and to no transfer", () => {
    const group = { quorum: 1, approvers: {} };
    const modify = policy({
      activityKind: "Policies:Modify",
      action: { kind: "RequestApproval", approvalGroups: [group] },
      filters: { policyId: { in: [id("plc", "q")] } },
    });
    const change = (letter: string) =>
      evaluatePolicies([modify], {
        kind: "Policies:Modify",
        policyIds: [policyIdSchema.parse(id("plc", letter))],
      }).kind;
    expect([change("q"), change("r"), evaluatePolicies([modify], activity(native(1n))).kind]).toEqual([
      "ApprovalRequested",
      "Allowed",
      "Allowed",
    ]);
  });

  it("INV-8 on changes of policies applies to a change of a user group that a policy names which it guards", () => {
    const asks = { kind: "RequestApproval", approvalGroups: [{ quorum: 1, approvers: {} }] } as const;
    const policyIn = (letter: string) => policyIdSchema.parse(id("plc", letter));
    const some = policy({
      activityKind: "Policies:Modify",
      action: asks,
      filters: { policyId: { in: [policyIn("q")] } },
    });
    const all = policy({ activityKind: "Policies:Modify", action: asks });
    const change = (guard: Policy, ...letters: readonly string[]) =>
      evaluatePolicies([guard], { kind: "Policies:Modify", policyIds: letters.map(policyIn) }).kind;
    expect([change(some, "r", "q"), change(some, "r"), change(some)]).toEqual([
      "ApprovalRequested",
      "Allowed",
      "Allowed",
    ]);
    expect([change(all, "r"), change(all)]).toEqual(["ApprovalRequested", "Allowed"]);
    expect(evaluatePolicies([some], { kind: "Policies:Modify", policyIds: [some.id] }).kind).toBe(
      "ApprovalRequested",
    );
  });

  it("row 16: on changes of some policies guards itself too, whatever its filter names", () => {
    const asks = { kind: "RequestApproval", approvalGroups: [{ quorum: 1, approvers: {} }] } as const;
    const filters = { policyId: { in: [id("plc", "q")] } };
    const guard = policy({ activityKind: "Policies:Modify", action: asks, filters });
    const change = { kind: "Policies:Modify", policyIds: [guard.id] } as const;
    expect(evaluatePolicies([guard], change).kind).toBe("ApprovalRequested");
  });
});

describe("policies together", () => {
  const group = (name: string) => ({ name, quorum: 1, approvers: {} });
  const asks = (letter: string, ...autoRejectTimeout: readonly (number | null)[]) =>
    policy(
      {
        action: {
          kind: "RequestApproval",
          approvalGroups: [group(letter)],
          ...(autoRejectTimeout.length === 0 ? {} : { autoRejectTimeout: autoRejectTimeout[0] }),
        },
      },
      letter,
    );
  const observes = policy({ action: { kind: "NoAction" } }, "n");

  it("block as soon as one of them does", () => {
    const verdict = evaluatePolicies([asks("a"), observes, policy({}, "b")], activity(native(1n)));
    expect(verdict.kind).toBe("Blocked");
    expect(verdict.evaluations).toHaveLength(3);
  });

  it("ask every group of every policy that triggers, for the shortest time", () => {
    const rests = policy({ rule: whitelist(FRIEND), action: asks("c").body.action }, "c");
    const verdict = evaluatePolicies(
      [asks("a", 60), asks("b", 5), asks("d", null), rests],
      activity(native(1n)),
    );
    expect(verdict).toMatchObject({ kind: "ApprovalRequested", timeoutMinutes: 5 });
    const groups = verdict.kind === "ApprovalRequested" ? verdict.groups : [];
    expect(groups.map(({ policyId, name }) => [policyId, name])).toEqual(
      ["a", "b", "d"].map((letter) => [id("plc", letter), letter]),
    );
    expect(verdict.evaluations.map(({ triggered }) => triggered)).toEqual([true, true, true, false]);
  });

  it("wait for ever when none sets a time, and allow when all that trigger only observe", () => {
    expect(evaluatePolicies([asks("a")], activity(native(1n)))).toMatchObject({ timeoutMinutes: undefined });
    expect(evaluatePolicies([observes], activity(native(1n)))).toMatchObject({
      kind: "Allowed",
      evaluations: [{ triggered: true }],
    });
  });

  it("tell over which stretches of time the past must be read", () => {
    const bodies = [velocity("1"), count(1), amountLimit(1)].map((rule, at) =>
      policy({ rule }, "abc".charAt(at)),
    );
    expect(
      timeframesOf([
        ...bodies,
        policy({ rule: { ...count(1), configuration: { limit: 1, timeframe: 5 } } }, "z", "Archived"),
      ]),
    ).toEqual([60]);
  });
});

describe("a key that shall be handed out", () => {
  const against = (change: Readonly<Record<string, unknown>>, wallets = [wallet("w", ["hot"])]) =>
    policiesAgainstExport([policy(change)], activity(opaque("a key signs anything"), wallets)).length;
  const asks = { kind: "RequestApproval", approvalGroups: [{ quorum: 1, approvers: {} }] };

  it.each<[string, number, Readonly<Record<string, unknown>>]>([
    ["blocks everything", 1, {}],
    [
      "asks people about large amounts, which it no longer controls afterwards",
      1,
      { rule: amountLimit("1"), action: asks },
    ],
    ["blocks other recipients", 1, { rule: whitelist(FRIEND) }],
    ["blocks another wallet", 0, { filters: { walletId: { in: [wallet("x").id] } } }],
    ["blocks one of the key's wallets by its tag", 1, { filters: { walletTags: { hasAny: ["hot"] } } }],
    ["only observes", 0, { action: { kind: "NoAction" } }],
    ["guards policies", 0, { activityKind: "Policies:Modify", action: asks }],
  ])("meets a policy that %s: %i", (_, count, change) => {
    expect(against(change)).toBe(count);
  });

  it("meets every policy without filters, when no wallet uses it", () => {
    expect(against({}, [])).toBe(1);
    expect(against({ filters: { walletTags: { hasAny: ["hot"] } } }, [])).toBe(0);
    expect(policiesAgainstExport([policy({}, "p", "Archived")], activity(opaque("all")))).toEqual([]);
  });
});
