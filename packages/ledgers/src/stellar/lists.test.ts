import { NotFoundError, Operation, xdr } from "@stellar/stellar-sdk";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { lumens, type StellarWorld, startStellarWorld, stellarKey } from "../testing/stellar-world.ts";

const [ALICE, BOB, CAROL] = [stellarKey(1), stellarKey(2), stellarKey(3)];
const LUMEN = 10_000_000;

let world: StellarWorld;
const hashes: string[] = [];

beforeAll(async () => {
  world = await startStellarWorld();
  await world.fund(ALICE, 100 * LUMEN); // ledger 2
  await world.fund(BOB, 10 * LUMEN); // ledger 3
  for (const amount of ["1", "2", "3", "4", "5"]) {
    world.clock.pass(5_000);
    hashes.push((await world.confirmed(await world.signed(ALICE, [lumens(BOB, amount)]))).hash);
  }
  await world.codes(await world.signed(ALICE, [lumens(CAROL, "1")])); // ledger 9
});

afterAll(() => world[Symbol.asyncDispose]());

const amounts = (records: readonly object[]): readonly unknown[] =>
  records.map((record) => ("amount" in record ? record.amount : undefined));

describe("a list", () => {
  it("is read page by page, forwards and back, by the links that it gives", async () => {
    const first = await world.horizon.payments().forAccount(BOB.publicKey()).limit(2).call();
    expect(amounts(first.records)).toEqual([undefined, "1.0000000"]);
    const second = await first.next();
    expect(amounts(second.records)).toEqual(["2.0000000", "3.0000000"]);
    const third = await second.next();
    expect(amounts(third.records)).toEqual(["4.0000000", "5.0000000"]);
    expect((await third.next()).records).toEqual([]);
    // as in Horizon, the previous page is in reverse order
    expect(amounts((await second.prev()).records)).toEqual(["1.0000000", undefined]);
  });

  it("begins with the latest if it is wanted in descending order", async () => {
    const newest = await world.horizon
      .transactions()
      .forAccount(ALICE.publicKey())
      .order("desc")
      .limit(2)
      .call();
    expect(newest.records.map(({ hash }) => hash)).toEqual([hashes[4], hashes[3]]);
  });

  it("goes on behind a paging token, and from now on there is nothing yet", async () => {
    const { records } = await world.horizon.transactions().forAccount(BOB.publicKey()).limit(3).call();
    const token = records[2]?.paging_token ?? "";
    const rest = await world.horizon.transactions().forAccount(BOB.publicKey()).cursor(token).call();
    expect(rest.records.map(({ hash }) => hash)).toEqual(hashes.slice(2));
    const now = await world.horizon.transactions().cursor("now").call();
    expect(now.records).toEqual([]);
  });

  it("leaves failed transactions out, unless they are wanted", async () => {
    const without = await world.horizon.transactions().forLedger(9).call();
    const all = await world.horizon.transactions().forLedger(9).includeFailed(true).call();
    expect([without.records, all.records.map(({ successful }) => successful)]).toEqual([[], [false]]);
  });

  it("of payments brings their transactions if it is wanted so", async () => {
    const { records } = await world.horizon.payments().forLedger(4).join("transactions").call();
    expect(records[0]).toMatchObject({ transaction_attr: { hash: hashes[0], memo_type: "none" } });
  });

  it.each(["limit=0", "limit=201", "limit=ten", "order=down", "cursor=abc", `cursor=${"9".repeat(21)}`])(
    "that makes no sense is refused: %s",
    async (query) => {
      const answer = await fetch(`${world.url}/ledgers?${query}`);
      const field = query.split("=")[0];
      expect([answer.status, await answer.json()]).toMatchObject([400, { extras: { invalid_field: field } }]);
    },
  );
});

describe("a ledger", () => {
  it("tells when it closed, what is in it, and which was before", async () => {
    const { records } = await world.horizon.ledgers().order("desc").limit(2).call();
    const [last, before] = records;
    expect([last?.sequence, last?.prev_hash]).toEqual([9, before?.hash]);
    expect(last).toMatchObject({ failed_transaction_count: 1, successful_transaction_count: 0 });
    expect(before).toMatchObject({ closed_at: "2026-11-20T00:00:25Z", operation_count: 1 });
    const header = xdr.LedgerHeader.fromXDR(before?.header_xdr ?? "", "base64");
    expect([header.ledgerSeq(), header.baseFee(), header.baseReserve()]).toEqual([8, 100, 5_000_000]);
  });

  it("is found by its number, and is not there before it closed", async () => {
    // the SDK types this as a list, but one ledger is returned
    const found: unknown = await world.horizon.ledgers().ledger(4).call();
    expect(found).toMatchObject({ sequence: 4, closed_at: "2026-11-20T00:00:05Z" });
    await expect(world.horizon.ledgers().ledger(10).call()).rejects.toThrow(NotFoundError);
  });
});

it("the operations of a ledger are as many as it says, those that are no payments among them", async () => {
  await using own = await startStellarWorld();
  await own.fund(ALICE, 100 * LUMEN);
  await own.fund(BOB, 10 * LUMEN);
  const mixed = [Operation.bumpSequence({ bumpTo: "0" }), lumens(BOB, "1")];
  const { ledger } = await own.confirmed(await own.signed(ALICE, mixed));
  const found: unknown = await own.horizon.ledgers().ledger(ledger).call();
  expect(found).toMatchObject({ operation_count: 2 });
  const operations = await own.horizon.operations().forLedger(ledger).call();
  expect(operations.records.map(({ type, type_i }) => [type, type_i])).toEqual([
    ["bump_sequence", 11],
    ["payment", 1],
  ]);
  const payments = await own.horizon.payments().forLedger(ledger).call();
  expect(payments.records).toMatchObject([{ paging_token: operations.records[1]?.paging_token }]);
  await own.codes(await own.signed(ALICE, [lumens(CAROL, "1")]));
  const failed: unknown = await own.horizon
    .ledgers()
    .ledger(ledger + 1)
    .call();
  expect(failed).toMatchObject({ operation_count: 0, tx_set_operation_count: 1 });
  const list = () => own.horizon.operations().forLedger(ledger + 1);
  expect((await list().call()).records).toEqual([]);
  expect((await list().includeFailed(true).call()).records).toHaveLength(1);
});

it.each<[string, number, string]>([
  ["/accounts/GABC", 400, "Bad Request"],
  [`/accounts/${stellarKey(99).publicKey()}`, 404, "Resource Missing"],
  ["/transactions/abc", 400, "Bad Request"],
  [`/transactions/${"0".repeat(64)}`, 404, "Resource Missing"],
  ["/ledgers/four", 400, "Bad Request"],
  ["/friendbot?addr=me", 400, "Bad Request"],
  ["/nothing", 404, "Resource Missing"],
])("a request that makes no sense is refused as Horizon does: %s", async (path, status, title) => {
  const answer = await fetch(`${world.url}${path}`);
  expect([answer.status, await answer.json()]).toMatchObject([status, { status, title }]);
});

it("each answer says of which ledger it is, an error too", async () => {
  for (const path of ["/fee_stats", `/transactions/${"0".repeat(64)}`]) {
    expect((await fetch(`${world.url}${path}`)).headers.get("latest-ledger")).toBe("9");
  }
});

it("the root says which network it is, and how far it has come", async () => {
  expect(await world.horizon.root()).toMatchObject({
    network_passphrase: "Conclave Test Network",
    history_latest_ledger: 9,
    current_protocol_version: 23,
  });
});

describe("Stellar RPC", () => {
  it("says that it is healthy, which network it is, and which ledger came last", async () => {
    expect(await world.rpc.getHealth()).toMatchObject({
      status: "healthy",
      latestLedger: 9,
      oldestLedger: 1,
    });
    expect(await world.rpc.getNetwork()).toMatchObject({ passphrase: "Conclave Test Network" });
    const { sequence, headerXdr, metadataXdr } = await world.rpc.getLatestLedger();
    expect([sequence, headerXdr.ledgerSeq()]).toEqual([9, 9]);
    const [processed] = metadataXdr.v0().txProcessing();
    expect(processed?.result().result().result().switch().name).toBe("txFailed");
  });

  it("answers a call without parameters", async () => {
    const body = JSON.stringify({ jsonrpc: "2.0", id: "a", method: "getHealth" });
    const answer = await fetch(`${world.url}/rpc`, { method: "POST", body });
    expect(await answer.json()).toMatchObject({ jsonrpc: "2.0", id: "a", result: { status: "healthy" } });
  });

  it.each(["", "[]", "{", JSON.stringify({ jsonrpc: "1.0", id: 1, method: "getHealth" })])(
    "refuses what is no call: %s",
    async (body) => {
      const answer = await fetch(`${world.url}/rpc`, { method: "POST", body });
      expect(await answer.json()).toMatchObject({ id: null, error: { code: -32600 } });
    },
  );

  it("knows entries of the ledger by their keys", async () => {
    expect((await world.rpc.getAccount(ALICE.publicKey())).sequenceNumber()).toBe(
      ((2n << 32n) + 6n).toString(),
    );
    const key = xdr.LedgerKey.account(new xdr.LedgerKeyAccount({ accountId: BOB.xdrAccountId() }));
    const { entries } = await world.rpc.getLedgerEntries(key);
    expect(entries.map(({ val }) => val.account().balance().toString())).toEqual(["250000000"]);
    expect(entries[0]?.lastModifiedLedgerSeq).toBe(8);
  });

  it("finds a transaction by its hash, and says so if there is none", async () => {
    const found = await world.rpc.getTransaction(hashes[0] ?? "");
    expect(found).toMatchObject({ status: "SUCCESS", ledger: 4, applicationOrder: 1, feeBump: false });
    expect(await world.rpc.getTransaction("0".repeat(64))).toMatchObject({
      status: "NOT_FOUND",
      latestLedger: 9,
    });
  });

  it("lists transactions from a ledger on, failed ones too", async () => {
    const first = await world.rpc.getTransactions({ startLedger: 7, pagination: { limit: 2 } });
    expect(first.transactions.map(({ ledger, status }) => [ledger, status])).toEqual([
      [7, "SUCCESS"],
      [8, "SUCCESS"],
    ]);
    const rest = await world.rpc.getTransactions({ pagination: { cursor: first.cursor } });
    expect(rest.transactions.map(({ status }) => status)).toEqual(["FAILED"]);
  });

  it.each<[string, unknown, number, string]>([
    ["getNothing", {}, -32601, "method not found"],
    ["getTransaction", { hash: "abc" }, -32602, "is no transaction's hash"],
    ["getLedgerEntries", { keys: ["AAAA"] }, -32602, "cannot unmarshal key value"],
    ["getLedgerEntries", {}, -32602, "keys"],
    ["sendTransaction", { transaction: "AAAA" }, -32602, "invalid_xdr"],
    ["simulateTransaction", {}, -32602, "Could not unmarshal"],
  ])("refuses what makes no sense: %s %j", async (method, params, code, words) => {
    const answer = await fetch(`${world.url}/rpc`, {
      method: "POST",
      body: JSON.stringify({ jsonrpc: "2.0", id: 1, method, params }),
    });
    expect(await answer.json()).toMatchObject({ error: { code, message: expect.stringContaining(words) } });
  });
});
