import { FAMILIES, type FeeBumps } from "@conclave/chains";
import { attachSignatures, buildTransaction, EVM_FAMILY } from "@conclave/chains/evm";
import { SEPOLIA, TEST_SECRET_KEY, testAccount } from "@conclave/chains/testing";
import {
  authorisedTransactionSchema,
  type ChainRequest,
  type ChainRequestEvent,
  type ChainRequestId,
  fail,
  makePrices,
  networkSchema,
  ok,
  transactionIdSchema,
  transferIdSchema,
} from "@conclave/custody";
import {
  type Connection,
  changeChainRequest,
  type Database,
  listEvents,
  lockChainRequest,
  makeLogger,
  makeMetrics,
  noteFeeWaits,
  readChainRequest,
} from "@conclave/platform";
import { processWorld } from "@conclave/platform/world";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { z } from "zod";
import { makeAuthority } from "../authority.ts";
import { transferOf, walletOf } from "../testing/bodies.ts";
import { readingOf } from "../testing/reading.ts";
import { CLUSTER, startWorld, type World } from "../testing/world.ts";
import { bumpEvents } from "./bump-events.ts";
import { bumpRequest } from "./bump-request.ts";
import type { BumpOutcome } from "./decide-bump.ts";
import { type BumpChain, bumpNetwork, type FeeBumpParts, startFeeBumps } from "./fee-bumps.ts";

const TO = "0x70997970c51812dc3a010c7d01b50e0d17dc79c8";
const NETWORK = networkSchema.parse(SEPOLIA.network);
const GWEI = 10n ** 9n;
const GAS = 21_000n;
const PRICE = 10n * GWEI;
const RULE: FeeBumps = { afterBlocks: 5, most: 3, cap: (100n * GWEI).toString() };
const SINCE = 100n;
const requestIdSchema = z.union([transferIdSchema, transactionIdSchema]);

let world: World;
beforeAll(async () => {
  world = await startWorld();
});
afterAll(() => world.stop());
let walletId: string;
let height: bigint;
let isIncluded: boolean;
let isAway: boolean;
let marketPrice: bigint;
/** the outcomes in the log, each line of which is counted */
let counted: string[];
beforeEach(async () => {
  await world.database.execute("delete from fee_waits");
  const { body } = await world.call("POST", "/wallets", { network: NETWORK });
  walletId = walletOf(body).id;
  [height, isIncluded, isAway, marketPrice, counted] = [SINCE + 5n, false, false, 1n, []];
});

/** The gateway's node, whose answers the test determines. */
const chainOf = (rule: FeeBumps = RULE): BumpChain => ({
  ...world.chain,
  network: { ...world.chain.network, feeBumps: rule },
  head: async () =>
    isAway
      ? fail("ServiceUnavailable")
      : ok({ height, hash: "h", confirmedHeight: height, finalHeight: height }),
  sight: async () =>
    ok(
      isIncluded
        ? { kind: "included", height, blockHash: "h", isFinal: false, fee: 1n, succeeded: true }
        : { kind: "waiting" },
    ),
  feeLevels: async () => {
    const level = { maxFeePerGas: marketPrice.toString(), maxPriorityFeePerGas: "1" };
    return ok({
      kind: "Eip1559",
      blockNumber: 7,
      baseFeePerGas: "2",
      slow: level,
      standard: level,
      fast: level,
    });
  },
});
const OUTCOME = /(?<="event":"fee-)raised|(?<="outcome":")[a-z-]+/g;
const write = (line: string): void => void counted.push(...(line.match(OUTCOME) ?? []));
const partsOf = (database: Database = world.database): FeeBumpParts => ({
  database,
  families: FAMILIES,
  chains: new Map([[NETWORK, chainOf()]]),
  reading: readingOf(new Map([[NETWORK, chainOf()]])),
  authority: makeAuthority(world.authoritySigningKey, CLUSTER, () => new Date()),
  prices: makePrices([], FAMILIES),
  now: () => new Date(),
  world: processWorld,
  logger: makeLogger({ name: "test", level: "info", destination: { write } }),
  events: bumpEvents(makeMetrics("gateway"), [NETWORK]),
});
const look = (rule: FeeBumps = RULE, database?: Database) =>
  bumpNetwork(partsOf(database), chainOf(rule), rule);

const signed = (nonce: bigint, gasPrice: bigint) => {
  const unsigned = buildTransaction({
    chainId: SEPOLIA.chainId,
    nonce,
    fees: { kind: "Legacy", gasPrice },
    gasLimit: GAS,
    call: { to: TO, value: 5n, data: "0x" },
  });
  const transaction = Buffer.from(unsigned).toString("hex");
  const read = EVM_FAMILY.readContent([world.chain.network], {
    kind: "transaction",
    network: NETWORK,
    transaction,
  });
  if (!read.ok) return expect.fail(read.problem.message);
  const account = testAccount(TEST_SECRET_KEY);
  const attached = attachSignatures(
    unsigned,
    read.value.signables.map(({ bytes }) => account.sign(bytes)),
    [account.publicKey],
  );
  return attached.ok ? { unsigned, ...attached.value } : expect.fail(attached.problem.message);
};

/** Applies events as orchestrator and chain would cause them. */
const happen = (id: ChainRequestId, events: readonly ChainRequestEvent[]): Promise<void> =>
  world.database.transaction(async (connection) => {
    for (const event of events) {
      const request = (await lockChainRequest(connection, id)) ?? expect.fail(`${id} is gone`);
      const changed = await changeChainRequest(connection, request, event);
      if (!changed.ok) expect.fail(`${event.kind}: ${changed.problem.message}`);
    }
  });
/** Has a request signed, and recorded as waiting. */
const sign = async (id: ChainRequestId, nonce: bigint, gasPrice: bigint): Promise<void> => {
  const { unsigned, signed: bytes, txHash } = signed(nonce, gasPrice);
  await happen(id, [
    { kind: "Begun" },
    {
      kind: "Built",
      sequence: nonce,
      exclusion: Uint8Array.of(Number(nonce)),
      unsignedTransaction: unsigned,
      details: { nonce: Number(nonce) },
    },
    { kind: "Signed", unsignedTransaction: unsigned, signedTransaction: bytes, txHash },
  ]);
  await noteFeeWaits(world.database, NETWORK, [{ requestId: id, sinceHeight: SINCE }]);
};
const broadcast = async (id: ChainRequestId, nonce = 0n, gasPrice = PRICE): Promise<void> => {
  await sign(id, nonce, gasPrice);
  await happen(id, [{ kind: "Broadcasted", date: new Date().toISOString() }]);
};
const native = { kind: "Native", to: TO, amount: "5" };
const asked = async (path = "transfers", body: unknown = native, token = world.token) => {
  const answer = await world.call("POST", `/wallets/${walletId}/${path}`, body, {
    authorization: `Bearer ${token}`,
  });
  expect(answer.status).toBe(200);
  return requestIdSchema.parse(transferOf(answer.body).id);
};
/** A transfer that waits to land. */
const waiting = async (nonce = 0n, gasPrice = PRICE): Promise<ChainRequestId> => {
  const id = await asked();
  await broadcast(id, nonce, gasPrice);
  return id;
};
const read = async (id: ChainRequestId): Promise<ChainRequest> =>
  (await readChainRequest(world.database, id)) ?? expect.fail(`${id} is gone`);
const bumpsOf = async (id: ChainRequestId): Promise<readonly ChainRequest[]> => {
  const rows = await world.database.rows(
    z.object({ id: transactionIdSchema }),
    "select id from chain_requests where replaces_id = $1 and is_fee_bump order by date_requested, id",
    [id],
  );
  return Promise.all(rows.map((row) => read(row.id)));
};
const bumpOf = async (id: ChainRequestId): Promise<ChainRequest> =>
  (await bumpsOf(id)).at(-1) ?? expect.fail("its fee is not raised");
const authorisedOf = ({ authorisation }: ChainRequest) =>
  authorisedTransactionSchema.parse(
    JSON.parse(Buffer.from(authorisation?.payload ?? expect.fail()).toString("utf8")),
  );
/** Counts the rows that a raise, a reason or an event would add. */
const countedRows = async () =>
  world.database.rows(
    z.object({ requests: z.string(), approvals: z.string(), spent: z.string(), due: z.string() }),
    `select (select count(*) from chain_requests)::text as requests,
       (select count(*) from policy_approvals)::text as approvals,
       (select count(*) from wallet_spendings)::text as spent, (select count(*) from due_requests)::text as due`,
  );
const guard = async (action: unknown, kind = "AlwaysTrigger", configuration: unknown = {}): Promise<void> => {
  const [filters, rule] = [{ walletId: { in: [walletId] } }, { kind, configuration }];
  const policy = { name: "test", activityKind: "Wallets:Sign", rule, action, filters };
  expect((await world.call("POST", "/v2/policies", policy)).status).toBe(200);
};

describe("the fee of a transfer that waits", () => {
  it("is raised after so many blocks: a speed-up like any other, of the transfer's requester", async () => {
    const id = await waiting();
    height = SINCE + 4n;
    expect([await look(), await bumpsOf(id)]).toEqual([0, []]);
    height = SINCE + 5n;
    expect(await look()).toBe(1);
    const bump = await bumpOf(id);
    expect(await read(id)).toMatchObject({ status: "Broadcasted", replacementId: bump.id });
    expect(bump).toMatchObject({
      kind: "Transaction",
      status: "Pending",
      replacesId: id,
      requester: { userId: world.caller.userId },
      requestBody: { kind: "SpeedUpTransaction", txHash: signed(0n, PRICE).txHash },
    });
    expect(authorisedOf(bump)).toMatchObject({
      requestId: bump.id,
      replaces: [id],
      policy: { outcome: "Allowed" },
      transaction: { to: TO, value: "5", nonce: 0, maxFee: (GAS * 2n * PRICE).toString() },
    });
    const due = await world.database.rows(
      z.object({ id: z.string() }),
      "select id from due_requests where id = $1",
      [bump.id],
    );
    expect([due.length, counted]).toEqual([1, ["raised"]]);
  });

  it("is raised where the node has not even taken it, as below the base fee", async () => {
    const id = await asked();
    await sign(id, 0n, PRICE);
    await happen(id, [{ kind: "Waiting", reason: "max fee per gas less than block base fee" }]);
    await look();
    expect(await read(id)).toMatchObject({ status: "Executing", replacementId: (await bumpOf(id)).id });
  });

  it("is shown as made by the service, and reported by the usual events", async () => {
    const id = await waiting();
    await look();
    const bump = await bumpOf(id);
    const { body } = await world.call("GET", `/wallets/${walletId}/transactions/${bump.id}`);
    expect(body).toMatchObject({ id: bump.id, details: { madeBy: "service" } });
    const transfer = (await world.call("GET", `/wallets/${walletId}/transfers/${id}`)).body;
    expect(transfer).toMatchObject({ replacementId: bump.id });
    expect(transfer).not.toHaveProperty("details.madeBy");
    expect((await listEvents(world.database, bump.id)).map(({ kind }) => kind)).toEqual([
      "wallet.transaction.requested",
    ]);
  });

  it("follows the market, at most to the cap, which signers hold it to", async () => {
    marketPrice = 70n * GWEI;
    const first = await waiting();
    await look();
    expect(authorisedOf(await bumpOf(first))).toMatchObject({
      transaction: { maxFee: (GAS * 70n * GWEI).toString() },
    });
    marketPrice = 700n * GWEI;
    const { body } = await world.call("POST", "/wallets", { network: NETWORK });
    walletId = walletOf(body).id;
    const second = await waiting();
    await look();
    expect(authorisedOf(await bumpOf(second))).toMatchObject({
      transaction: { maxFee: (GAS * 100n * GWEI).toString() },
    });
  });

  it("is raised again after as many blocks more, as often as the network allows, and then reported once", async () => {
    const rule = { ...RULE, most: 2 };
    const first = await waiting();
    await look(rule);
    const second = await bumpOf(first);
    await broadcast(second.id, 0n, 2n * PRICE);
    expect(await look(rule)).toBe(1);
    const third = await bumpOf(second.id);
    expect(authorisedOf(third)).toMatchObject({ replaces: [second.id, first], requestId: third.id });
    await broadcast(third.id, 0n, 4n * PRICE);
    for (let rounds = 0; rounds < 3; rounds += 1) {
      await look(rule);
      height += 5n;
    }
    expect(await read(third.id)).toMatchObject({
      status: "Broadcasted",
      replacementId: undefined,
      reason: "it waits to land, and its fee is not raised: it was raised 2 times, and this network allows 2",
    });
    expect(counted).toEqual(["raised", "raised", "most-reached"]);
  });

  it("INV-8 is raised again for a requester who may make transfers, and nothing else", async () => {
    const { caller, token } = await world.tokenOf(["Wallets:Transfers:Create"]);
    let last = await asked("transfers", native, token);
    for (const price of [PRICE, 2n * PRICE, 4n * PRICE]) {
      await broadcast(last, 0n, price);
      await look();
      last = (await bumpOf(last)).id;
    }
    expect(await read(last)).toMatchObject({ requester: { userId: caller.userId } });
  });

  it("counts a raise that came to nothing, and tries again later", async () => {
    const rule = { ...RULE, most: 2 };
    const id = await waiting();
    for (const ended of [1, 2]) {
      await look(rule);
      expect(await bumpsOf(id)).toHaveLength(ended);
      await happen((await bumpOf(id)).id, [
        { kind: "Failed", date: new Date().toISOString(), reason: "insufficient funds" },
      ]);
      expect((await read(id)).replacementId).toBeUndefined();
      expect(await look(rule)).toBe(0);
      height += 5n;
    }
    await look(rule);
    expect([await bumpsOf(id), counted]).toEqual([
      [expect.anything(), expect.anything()],
      ["raised", "raised", "most-reached"],
    ]);
  });
});

describe("a transfer that waits is left as it is", () => {
  /** Expects, in two looks at some distance, that nothing is made and the reason is reported once. */
  const isLeft = async (id: ChainRequestId, outcome: BumpOutcome, reason: RegExp, rule = RULE) => {
    const before = await countedRows();
    await look(rule);
    expect(await read(id)).toMatchObject({
      status: "Broadcasted",
      replacementId: undefined,
      reason: expect.stringMatching(reason),
    });
    height += 5n;
    expect(await look(rule)).toBe(1);
    expect([await countedRows(), counted]).toEqual([before, [outcome]]);
  };

  it("where the least that takes its place is above the cap", async () => {
    await isLeft(await waiting(), "above-cap", /11250000001, above the cap of 11250000000/, {
      ...RULE,
      cap: "11250000000",
    });
  });

  it("where its caller chose the fee", async () => {
    const body = { kind: "Eip1559", to: TO, value: "5", maxFeePerGas: PRICE.toString() };
    const id = await asked("transactions", body);
    await broadcast(id);
    await isLeft(id, "callers-fee", /its caller chose the fee/);
  });

  it.each<[string, string]>([
    ["is deactivated", "update users set is_active = false where id = $1"],
    ["may not pay any more", "delete from permission_assignments where identity_id = $1"],
  ])(
    "INV-8 judged when: the requester's user, token and application, raise; the requester's permission, raise: who asked for it %s",
    async (_, change) => {
      const { caller, token } = await world.tokenOf(["Wallets:Transfers:Create"]);
      const id = await asked("transfers", native, token);
      await broadcast(id);
      await world.database.execute(change, [caller.userId]);
      await isLeft(id, "not-permitted", new RegExp(caller.userId));
    },
  );

  it("INV-8 judged when: wallet and key, raise: when its wallet is archived", async () => {
    const id = await waiting();
    await world.database.execute(
      "update wallets set status = 'Archived', date_deleted = now() where id = $1",
      [walletId],
    );
    await isLeft(id, "not-permitted", /wallet/);
  });

  it.each([
    ["policies and limits", "AlwaysTrigger", {}],
    ["sums and counts", "TransactionCountVelocity", { limit: 1, timeframe: 60 }],
    ["whitelists", "TransactionRecipientWhitelist", { addresses: [] }],
    ["prices", "TransactionAmountLimit", { limit: "0.000001", currency: "USD" }],
  ])("INV-8 judged when: %s, raise: a policy blocks it, nothing stays", async (_, kind, configuration) => {
    const id = await waiting();
    await guard({ kind: "Block" }, kind, configuration);
    await isLeft(id, "policy", /a policy blocks it: /);
  });

  it("INV-8 when a policy wants an approval, and nobody is asked", async () => {
    const id = await waiting();
    await guard({ kind: "RequestApproval", approvalGroups: [{ quorum: 1, approvers: {} }] });
    await isLeft(id, "policy", /asks for an approval, which the service does not ask for by itself/);
  });

  it("and raised once what kept it is over", async () => {
    const id = await waiting();
    await look({ ...RULE, cap: "1" });
    height += 5n;
    await look();
    expect(await read(id)).toMatchObject({ reason: undefined, replacementId: (await bumpOf(id)).id });
    expect(counted).toEqual(["above-cap", "raised"]);
  });
});

describe("a transaction that its fee does not keep from landing", () => {
  it("is a transaction behind another one of its account, until that has landed", async () => {
    const [first, second] = [await waiting(0n, 90n * GWEI), await waiting(1n)];
    await look();
    expect([await bumpsOf(first), await bumpsOf(second), (await read(second)).reason]).toEqual([
      [],
      [],
      undefined,
    ]);
    await happen(first, [
      { kind: "Confirmed", date: new Date().toISOString(), fee: "1", blockNumber: height, blockHash: "b" },
    ]);
    height += 4n;
    expect([await look(), await bumpsOf(second)]).toEqual([0, []]);
    height += 1n;
    await look();
    expect(await bumpsOf(second)).toHaveLength(1);
  });

  it("is a transaction behind one that nobody has noted to wait", async () => {
    const first = await waiting(0n);
    const second = await waiting(1n);
    await world.database.execute("delete from fee_waits where request_id = $1", [first]);
    expect([await look(), await bumpsOf(second), counted]).toEqual([1, [], []]);
  });

  it("is any of a thousand behind one: no more is asked of the node for them", async () => {
    const id = await waiting(0n);
    await world.database.execute(
      `insert into chain_requests
       select (jsonb_populate_record(r, jsonb_build_object('id', left(r.id, length(r.id) - 5) || lpad(n::text, 5, '0'),
         'tx_hash', '0x' || lpad(n::text, 64, '0'), 'sequence', n, 'external_id', null))).*
       from chain_requests r, generate_series(1, 1000) n where r.id = $1`,
      [id],
    );
    await world.database.execute(
      `insert into fee_waits (request_id, network, since_height)
       select id, network, $2 from chain_requests where wallet_id = $1 on conflict do nothing`,
      [walletId, SINCE.toString()],
    );
    const asked: string[] = [];
    const chain = chainOf();
    const watched: BumpChain = {
      ...chain,
      sight: (txHash) => {
        asked.push(txHash);
        return chain.sight(txHash);
      },
    };
    expect(await bumpNetwork(partsOf(), watched, RULE)).toBe(1);
    expect([asked, counted]).toEqual([[signed(0n, PRICE).txHash], ["raised"]]);
    expect(await bumpNetwork(partsOf(), watched, RULE)).toBe(0);
    await world.database.execute("delete from fee_waits");
    await world.database.execute("update chain_requests set status = 'Failed' where wallet_id = $1", [
      walletId,
    ]);
  });

  it("is one in a block that is not deep enough yet", async () => {
    const id = await waiting();
    isIncluded = true;
    expect([await look(), await bumpsOf(id)]).toEqual([1, []]);
  });

  it("is one whose node is away, however long: no block is counted", async () => {
    const id = await waiting();
    isAway = true;
    expect([await look(), await bumpsOf(id)]).toEqual([0, []]);
  });

  it("is one of which the node does not tell where it is; it is looked at again once nobody holds it", async () => {
    const id = await waiting();
    const silent: BumpChain = { ...chainOf(), sight: async () => fail("ServiceUnavailable") };
    expect(await bumpNetwork(partsOf(), silent, RULE)).toBe(1);
    expect([await look(), await bumpsOf(id)]).toEqual([0, []]);
    await world.database.execute("update fee_waits set held_until = now() - interval '1 second'");
    expect([await look(), (await bumpsOf(id)).length]).toEqual([1, 1]);
  });

  it.each<[string, ChainRequestEvent]>([
    [
      "has landed",
      { kind: "Confirmed", date: "2026-01-02T03:04:05.678Z", fee: "1", blockNumber: 7n, blockHash: "b" },
    ],
    ["has failed", { kind: "Failed", date: "2026-01-02T03:04:05.678Z", reason: "so" }],
  ])("INV-4 is one that %s after it was found", async (_, event) => {
    const id = await waiting();
    await happen(id, [event]);
    const market = await chainOf().feeLevels();
    if (!market.ok) expect.fail(market.problem.message);
    const now = { rule: RULE, height, market: market.value };
    await bumpRequest(partsOf(), { requestId: id, sinceHeight: SINCE }, now);
    expect([await bumpsOf(id), counted]).toEqual([[], []]);
  });

  it("INV-4 is one whose caller has sped it up", async () => {
    const id = await waiting();
    const { status } = await world.call("POST", `/wallets/${walletId}/transfers/${id}/speed-up`, {});
    expect([status, await look(), await bumpsOf(id)]).toEqual([200, 0, []]);
  });
});

describe("INV-4 one request is replaced once", () => {
  it("by many gateways that look at it at once", async () => {
    const id = await waiting();
    const market = await chainOf().feeLevels();
    if (!market.ok) expect.fail(market.problem.message);
    const now = { rule: RULE, height, market: market.value };
    const wait = { requestId: id, sinceHeight: SINCE };
    await Promise.all(Array.from({ length: 8 }, () => bumpRequest(partsOf(), wait, now)));
    expect([(await bumpsOf(id)).length, counted]).toEqual([1, ["raised"]]);
  });

  it("by many gateways of which each takes what no other one holds", async () => {
    const ids = [await waiting(0n)];
    for (let wallets = 0; wallets < 3; wallets += 1) {
      walletId = walletOf((await world.call("POST", "/wallets", { network: NETWORK })).body).id;
      ids.push(await waiting());
    }
    const taken = await Promise.all(Array.from({ length: 4 }, () => look()));
    expect(taken.reduce((sum, each) => sum + each, 0)).toBe(4);
    for (const id of ids) expect(await bumpsOf(id)).toHaveLength(1);
  });

  it("by a gateway that dies between any two steps, and by its successor", async () => {
    let deaths = 0;
    for (let isDone = false; !isDone; deaths += 1) {
      const id = await waiting();
      const before = await countedRows();
      await look(RULE, dyingAfter(deaths)).catch(() => 0);
      isDone = (await bumpsOf(id)).length > 0;
      if (!isDone) expect(await countedRows()).toEqual(before);
      await world.database.execute("update fee_waits set held_until = null");
      await look();
      expect(await bumpsOf(id)).toHaveLength(1);
      await world.database.execute("delete from fee_waits");
      walletId = walletOf((await world.call("POST", "/wallets", { network: NETWORK })).body).id;
    }
    expect(deaths).toBeGreaterThan(20);
  });

  /** The database of a process that dies after this many statements. */
  const dyingAfter = (statements: number): Database => {
    let left = statements;
    const dying = (connection: Connection): Connection => {
      const step = <T>(act: () => Promise<T>): Promise<T> => {
        left -= 1;
        return left < 0 ? Promise.reject(new Error("the process died")) : act();
      };
      return {
        ...connection,
        rows: (...args) => step(() => connection.rows(...args)),
        execute: (...args) => step(() => connection.execute(...args)),
      };
    };
    return {
      ...world.database,
      ...dying(world.database),
      transaction: (work) => world.database.transaction((connection) => work(dying(connection))),
    };
  };
});

describe("a gateway", () => {
  it("raises fees by itself, and counts by network and outcome", async () => {
    const id = await waiting();
    const metrics = makeMetrics("gateway");
    const running = startFeeBumps({ ...partsOf(), events: bumpEvents(metrics, [NETWORK]) });
    await expect.poll(async () => (await bumpsOf(id)).length).toBe(1);
    await running.stop();
    const text = await metrics.text();
    expect(text).toMatch(
      /conclave_fee_bumps_total\{network="EthereumSepolia",outcome="raised",service="gateway"\} 1/,
    );
    expect(text).toMatch(/outcome="policy",service="gateway"\} 0/);
  });

  it("raises nothing on a network whose entry does not say so", async () => {
    const id = await waiting();
    const { feeBumps: _, ...network } = chainOf().network;
    let asked = 0;
    const head: BumpChain["head"] = async () => {
      asked += 1;
      return chainOf().head();
    };
    const chains = new Map([[NETWORK, { ...chainOf(), network, head }]]);
    const running = startFeeBumps({ ...partsOf(), chains });
    await running.stop();
    expect([asked, await bumpsOf(id)]).toEqual([0, []]);
  });
});
