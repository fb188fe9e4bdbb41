import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { Payment } from "xrpl";
import { hashes } from "xrpl";
import { startXrplWorld, testWallet, type XrplWorld } from "../testing/xrpl-world.ts";

const [ALICE, BOB] = [testWallet(1), testWallet(2)];

let world: XrplWorld;

beforeEach(async () => {
  world = await startXrplWorld();
  await world.fund(ALICE, 100_000_000);
  await world.fund(BOB, 100_000_000);
});

afterEach(() => world[Symbol.asyncDispose]());

const payment = (change: Partial<Payment> = {}): Payment => ({
  TransactionType: "Payment",
  Account: ALICE.address,
  Destination: BOB.address,
  Amount: "1000000",
  ...change,
});

/** Pays, and closes the ledger. @returns the transaction's hash */
const pay = async (change: Partial<Payment> = {}): Promise<string> => {
  const { tx_blob, hash } = await world.signed(payment(change), ALICE);
  expect(await world.submit(tx_blob)).toBe("tesSUCCESS");
  await world.mine();
  return hash;
};

const latest = async () =>
  (await world.client.request({ command: "ledger", ledger_index: "validated" })).result;

describe("account_info", () => {
  it("tells the account as it is in the open ledger, in the latest, and in older ones", async () => {
    const { ledger_hash: before } = await latest();
    const { tx_blob } = await world.signed(payment(), ALICE);
    await world.submit(tx_blob);
    const balance = async (params: object): Promise<unknown> => {
      const { account_data: data } = await world.rpc("account_info", { account: ALICE.address, ...params });
      return data !== null && typeof data === "object" && "Balance" in data ? data.Balance : undefined;
    };
    expect(await balance({})).toBe("98999988");
    expect(await balance({ ledger_index: "current" })).toBe("98999988");
    expect(await balance({ ledger_index: "validated" })).toBe("100000000");
    await world.mine(2);
    expect(await balance({ ledger_index: "closed" })).toBe("98999988");
    expect(await balance({ ledger_index: 3 })).toBe("100000000");
    expect(await balance({ ledger_index: "4" })).toBe("98999988");
    expect(await balance({ ledger_hash: before })).toBe("100000000");
  });

  it("says which ledger it speaks of", async () => {
    expect(await world.rpc("account_info", { account: ALICE.address })).toMatchObject({
      ledger_current_index: 4,
      validated: false,
    });
    const { ledger_hash, ledger_index } = await latest();
    const validated = { account: ALICE.address, ledger_index: "validated" };
    expect(await world.rpc("account_info", validated)).toMatchObject({
      ledger_hash,
      ledger_index,
      validated: true,
      account_data: { LedgerEntryType: "AccountRoot", Account: ALICE.address },
      account_flags: { disableMasterKey: false, depositAuth: false },
    });
  });

  it.each<[string, object, string]>([
    ["no account is named", {}, "invalidParams"],
    ["the account is none", { account: "rBad" }, "actMalformed"],
    ["its checksum is wrong", { account: "rPT1Sjq2YGrBMTttX4GZHjKu9dyfzbpAYf" }, "actMalformed"],
    ["there is no such account", { account: testWallet(9).address }, "actNotFound"],
    ["there was none yet", { account: ALICE.address, ledger_index: 1 }, "actNotFound"],
    ["the ledger is to come", { account: ALICE.address, ledger_index: 99 }, "lgrNotFound"],
    ["the ledger's hash is unknown", { account: ALICE.address, ledger_hash: "A".repeat(64) }, "lgrNotFound"],
    ["the ledger's hash is none", { account: ALICE.address, ledger_hash: "A" }, "invalidParams"],
    ["the ledger is no number", { account: ALICE.address, ledger_index: "last" }, "invalidParams"],
  ])("says so if %s", async (_, params, error) => {
    expect(await world.rpc("account_info", params)).toMatchObject({ error, status: "error" });
  });
});

describe("ledger", () => {
  it("has the hash that the client computes from its header, and its parent's", async () => {
    const { ledger_hash: parent } = await latest();
    await pay();
    const { transactions: _, accountState: __, ...header } = (await latest()).ledger;
    expect(hashes.hashLedgerHeader(header)).toBe(header.ledger_hash);
    expect(header).toMatchObject({ parent_hash: parent, closed: true, total_coins: "99999999999999968" });
  });

  it("lists its transactions by hash, or whole", async () => {
    const hash = await pay();
    const list = async (params: object) =>
      (await world.rpc("ledger", { ledger_index: "validated", transactions: true, ...params }))["ledger"];
    expect(await list({})).toMatchObject({ transactions: [hash] });
    expect(await list({ expand: true })).toMatchObject({
      transactions: [{ hash, Account: ALICE.address, metaData: { TransactionResult: "tesSUCCESS" } }],
    });
    expect(await list({ expand: true, api_version: 2 })).toMatchObject({
      transactions: [
        { hash, tx_json: { Account: ALICE.address }, meta: { TransactionIndex: 0 }, validated: true },
      ],
    });
  });

  it("shows what waits for the next one", async () => {
    const { tx_blob, hash } = await world.signed(payment(), ALICE);
    await world.submit(tx_blob);
    const open = await world.client.request({
      command: "ledger",
      ledger_index: "current",
      transactions: true,
    });
    expect(open.result).toMatchObject({
      ledger: { closed: false, transactions: [hash], parent_hash: (await latest()).ledger_hash },
      ledger_current_index: 4,
    });
    expect(await world.rpc("ledger_current")).toMatchObject({ ledger_current_index: 4 });
    expect(await world.rpc("ledger_closed")).toMatchObject({ ledger_index: 3 });
  });

  it("is closed later than the one before, at the ledger's own time", async () => {
    const { ledger: first } = await latest();
    world.clock.pass(60_000);
    await world.mine(2);
    const { ledger } = await latest();
    expect(ledger.close_time - first.close_time).toBeGreaterThan(55);
    expect([ledger.close_time_human, ledger.parent_close_time]).toEqual([
      "2026-Nov-20 00:01:01.000000000 UTC",
      ledger.close_time - 1,
    ]);
  });

  it("is not served in binary form", async () => {
    expect((await world.rpc("ledger", { binary: true }))["error"]).toBe("notSupported");
  });
});

describe("tx", () => {
  it("is flat in the first version of the interface, and apart from its metadata in the second", async () => {
    const hash = await pay({ DestinationTag: 7 });
    const { ledger_hash } = await latest();
    expect(await world.rpc("tx", { transaction: hash })).toMatchObject({
      Amount: "1000000",
      DeliverMax: "1000000",
      DestinationTag: 7,
      TransactionType: "Payment",
      hash,
      inLedger: 4,
      ledger_index: 4,
      meta: { delivered_amount: "1000000" },
      validated: true,
    });
    const second = await world.rpc("tx", { transaction: hash.toLowerCase(), api_version: 2 });
    expect(second).toMatchObject({
      close_time_iso: "2026-11-20T00:00:03Z",
      hash,
      ledger_hash,
      ledger_index: 4,
      tx_json: { DeliverMax: "1000000", DestinationTag: 7, TransactionType: "Payment" },
    });
    expect(second["tx_json"]).not.toHaveProperty("Amount");
  });

  it.each<[string, object, object]>([
    ["nothing of a range", {}, { error: "txnNotFound" }],
    ["a range that it has", { min_ledger: 1, max_ledger: 3 }, { error: "txnNotFound", searched_all: true }],
    [
      "a range that is not over",
      { min_ledger: 1, max_ledger: 4 },
      { error: "txnNotFound", searched_all: false },
    ],
    ["a range the wrong way round", { min_ledger: 3, max_ledger: 1 }, { error: "invalidLgrRange" }],
    ["more than a thousand ledgers", { min_ledger: 1, max_ledger: 1_002 }, { error: "excessiveLgrRange" }],
  ])("that is absent is not found by a request that says %s", async (_, range, answer) => {
    const found = await world.rpc("tx", { transaction: "A".repeat(64), ...range });
    expect(found).toMatchObject(answer);
    expect("searched_all" in found).toBe("searched_all" in answer);
  });

  it.each([
    [{ transaction: "short" }, "notImpl"],
    [{}, "invalidParams"],
    [{ transaction: "A".repeat(64), binary: true }, "notSupported"],
  ])("refuses %j", async (params, error) => {
    expect((await world.rpc("tx", params))["error"]).toBe(error);
  });
});

describe("account_tx", () => {
  /** Makes 12 payments, three to a ledger. @returns the hashes, oldest first */
  const payTwelve = async (): Promise<readonly string[]> => {
    const sent: string[] = [];
    for (let at = 0; at < 12; at += 1) {
      const { tx_blob, hash } = await world.signed(payment(), ALICE);
      await world.submit(tx_blob);
      sent.push(hash);
      if (at % 3 === 2) await world.mine();
    }
    return sent;
  };

  const hashesOf = (answer: Readonly<Record<string, unknown>>): readonly string[] => {
    const list = answer["transactions"];
    return Array.isArray(list) ? list.map(({ hash, tx }) => hash ?? tx.hash) : [];
  };

  it("lists what touched an account, page by page, the latest first", async () => {
    const sent = await payTwelve();
    const ask = (marker?: unknown) =>
      world.rpc("account_tx", { account: ALICE.address, limit: 10, api_version: 2, marker });
    const first = await ask();
    const second = await ask(first["marker"]);
    const all = [...hashesOf(first), ...hashesOf(second)];
    expect([first["limit"], hashesOf(first).length, second["marker"]]).toEqual([10, 10, undefined]);
    // the very first is the faucet's payment
    expect(all.slice(0, -1)).toEqual([...sent].reverse());
    expect(first).toMatchObject({ ledger_index_min: 1, ledger_index_max: 7, validated: true });
  });

  it("lists them forward too, and those of some ledgers", async () => {
    const sent = await payTwelve();
    const ask = (params: object) => world.rpc("account_tx", { account: BOB.address, ...params });
    const forward = await ask({ forward: true, limit: 10 });
    expect(hashesOf(forward).slice(1)).toEqual(sent.slice(0, 9));
    expect(hashesOf(await ask({ forward: true, marker: forward["marker"] }))).toEqual(sent.slice(9));
    const some = await ask({ ledger_index_min: 5, ledger_index_max: 6 });
    expect(hashesOf(some)).toEqual(sent.slice(3, 9).reverse());
    expect(hashesOf(await ask({ ledger_index: 4 }))).toEqual(sent.slice(0, 3).reverse());
  });

  it("is empty for an account that nothing touched, and the client reads all pages", async () => {
    const nothing = await world.rpc("account_tx", { account: testWallet(9).address });
    expect(nothing).toMatchObject({ transactions: [], status: "success" });
    await payTwelve();
    const pages = await world.client.requestAll({
      command: "account_tx",
      account: ALICE.address,
      ledger_index_min: -1,
      ledger_index_max: -1,
    });
    const counts = pages.map(({ result }) => result.transactions.length);
    expect(counts.reduce((sum, count) => sum + count)).toBe(13);
  });

  it.each<[object, number, string]>([
    [{ ledger_index_min: 9, ledger_index_max: 12 }, 1, "lgrIdxsInvalid"],
    [{ ledger_index_min: 3, ledger_index_max: 2 }, 2, "invalidLgrRange"],
    [{ ledger_index_min: 1, ledger_index_max: 99 }, 2, "lgrIdxMalformed"],
    [{ limit: 0 }, 1, "invalidParams"],
    [{ marker: "next" }, 1, "invalidParams"],
    [{ binary: true }, 1, "invalidParams"],
    [{ account: "rBad" }, 1, "actMalformed"],
  ])("refuses %j in version %d", async (params, api_version, error) => {
    const answer = await world.rpc("account_tx", { account: ALICE.address, api_version, ...params });
    expect(answer["error"]).toBe(error);
  });
});

describe("the server", () => {
  it("tells its state, its fees and its ledgers", async () => {
    const { result } = await world.client.request({ command: "server_info" });
    expect(result.info).toMatchObject({
      complete_ledgers: "1-3",
      network_id: 20_261,
      server_state: "full",
      load_factor: 1,
      validated_ledger: { seq: 3, base_fee_xrp: 0.00001, reserve_base_xrp: 1, reserve_inc_xrp: 0.2 },
    });
    expect(await world.rpc("server_state")).toMatchObject({
      state: { validated_ledger: { base_fee: 10, reserve_base: 1_000_000, reserve_inc: 200_000 } },
    });
  });

  it("answers a ping, and gives a random number", async () => {
    expect((await world.client.request({ command: "ping" })).result).toEqual({});
    expect((await world.client.request({ command: "random" })).result.random).toMatch(/^[0-9A-F]{64}$/);
  });

  it("shows the client an account's balances, and no trust lines", async () => {
    expect(await world.client.getBalances(ALICE.address)).toEqual([{ currency: "XRP", value: "100" }]);
  });

  it.each([
    ["a method that there is not", "path_find", {}, { error: "unknownCmd", error_code: 32 }],
    ["a method of all objects", "toString", {}, { error: "unknownCmd", error_code: 32 }],
    ["subscriptions by HTTP", "subscribe", { streams: ["ledger"] }, { error: "noEvents" }],
    ["secrets", "submit", { tx_json: {}, secret: "s" }, { error: "notSupported" }],
  ])("refuses %s, and repeats the request", async (_, method, params, answer) => {
    const said = await world.rpc(method, params);
    expect(said).toMatchObject({ ...answer, status: "error", request: { command: method } });
  });

  it("never repeats a secret", async () => {
    const said = await world.rpc("submit", { tx_json: {}, secret: "sEdTM1uX8pu2do5XvTnutH6HsouMaM2" });
    expect(said["request"]).toEqual({ command: "submit", secret: "<masked>", tx_json: {} });
  });

  it.each([
    ["no JSON", "{", 400],
    ["no method", "{}", 400],
    ["two objects of parameters", '{"method":"ping","params":[{},{}]}', 400],
    ["a version that is not served", '{"method":"ping","params":[{"api_version":3}]}', 400],
    ["too much", `{"method":"ping","params":["${"a".repeat(140_000)}"]}`, 413],
  ])("refuses a body with %s", async (_, body, status) => {
    expect((await fetch(world.url, { method: "POST", body })).status).toBe(status);
  });
});
