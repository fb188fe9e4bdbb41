import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { Payment } from "xrpl";
import { startXrplWorld, testWallet, type XrplWorld } from "../testing/xrpl-world.ts";

const [ALICE, BOB] = [testWallet(1), testWallet(2)];

let world: XrplWorld;

beforeEach(async () => {
  world = await startXrplWorld();
  await world.fund(ALICE, 100_000_000);
  await world.fund(BOB, 10_000_000);
});

afterEach(() => world[Symbol.asyncDispose]());

const signed = (change: Partial<Payment> = {}) =>
  world.signed(
    {
      TransactionType: "Payment",
      Account: ALICE.address,
      Destination: BOB.address,
      Amount: "1000000",
      ...change,
    },
    ALICE,
  );

const pay = async (change: Partial<Payment> = {}): Promise<string> => {
  const { tx_blob, hash } = await signed(change);
  expect(await world.submit(tx_blob)).toBe("tesSUCCESS");
  return hash;
};

/** The index of the ledger that holds a transaction, or "waiting", or the error. */
const found = async (transaction: string): Promise<unknown> => {
  const answer = await world.rpc("tx", { transaction });
  return answer["error"] ?? (answer["validated"] === true ? answer["ledger_index"] : "waiting");
};

describe("a transaction that waits", () => {
  it("is forgotten when it is dropped, and the same bytes are taken again", async () => {
    const { tx_blob, hash } = await signed();
    await world.submit(tx_blob);
    expect(await world.admin("drop", { id: hash })).toMatchObject({ status: 200, body: { waiting: [] } });
    expect(await found(hash)).toBe("txnNotFound");
    await world.mine();
    expect(await world.balance(BOB)).toBe("10000000");
    expect(await world.submit(tx_blob)).toBe("tesSUCCESS");
    await world.mine();
    expect(await found(hash)).toBe(5);
  });

  it("holds up those behind it when it is dropped", async () => {
    const first = await pay();
    const second = await pay();
    await world.admin("drop", { id: first });
    await world.mine();
    expect([await found(first), await found(second)]).toEqual(["txnNotFound", "waiting"]);
    expect(await world.admin("drop")).toMatchObject({ body: { waiting: [] } });
  });

  it("stays out of that many ledgers when it is delayed, while others pass it", async () => {
    const slow = await pay();
    expect((await world.admin("delay", { id: slow, blocks: 2 })).status).toBe(200);
    const other = await world.signed(
      { TransactionType: "Payment", Account: BOB.address, Destination: ALICE.address, Amount: "1" },
      BOB,
    );
    await world.submit(other.tx_blob);
    await world.mine(2);
    expect([await found(slow), await found(other.hash)]).toEqual(["waiting", 4]);
    await world.mine();
    expect(await found(slow)).toBe(6);
  });

  it("that is delayed beyond its last ledger never lands, and another takes its number", async () => {
    const lost = await pay({ LastLedgerSequence: 6 });
    await world.admin("delay", { blocks: 100 });
    await world.mine(2);
    expect(await found(lost)).toBe("waiting");
    await world.mine();
    expect(await world.rpc("tx", { transaction: lost, min_ledger: 4, max_ledger: 6 })).toMatchObject({
      error: "txnNotFound",
      searched_all: true,
    });
    expect(await world.balance(BOB)).toBe("10000000");
    const again = await pay();
    await world.mine();
    expect(await found(again)).toBe(7);
  });
});

describe("the next submissions", () => {
  it("get the engine result that an operator chose, and do nothing", async () => {
    await world.admin("refuse", { count: 2, result: "telINSUF_FEE_P" });
    const { tx_blob, hash } = await signed();
    const first = await world.rpc("submit", { tx_blob });
    expect(first).toMatchObject({
      engine_result: "telINSUF_FEE_P",
      engine_result_code: -394,
      tx_json: { hash },
    });
    expect([await world.submit(tx_blob), await world.submit(tx_blob)]).toEqual([
      "telINSUF_FEE_P",
      "tesSUCCESS",
    ]);
  });

  it("get the error that an operator chose", async () => {
    await world.admin("refuse", { error: "tooBusy" });
    const { tx_blob } = await signed();
    await expect(world.submit(tx_blob)).rejects.toMatchObject({ data: { error: "tooBusy", error_code: 9 } });
    expect(await world.submit(tx_blob)).toBe("tesSUCCESS");
  });

  it("get no answer over HTTP, but are processed as usual", async () => {
    await world.admin("lose-replies", { count: 1 });
    const { tx_blob, hash } = await signed();
    await expect(world.rpc("submit", { tx_blob })).rejects.toThrow("fetch failed");
    expect(await world.submit(tx_blob)).toBe("tefALREADY");
    await world.mine();
    expect(await found(hash)).toBe(4);
  });

  it("get no answer over WebSocket, but are processed as usual", async () => {
    const { tx_blob, hash } = await signed();
    await world.admin("lose-replies");
    // the client reconnects by itself; a disconnect() during that would never end
    const back = new Promise((resolve) => world.client.once("connected", () => resolve(undefined)));
    await expect(world.submit(tx_blob)).rejects.toThrow("websocket was closed");
    await world.mine();
    expect(await found(hash)).toBe(4);
    await back;
  });
});

describe("ledgers that the node forgot", () => {
  it("are a gap in what it says it has, and nothing in them is found", async () => {
    const hash = await pay();
    await world.mine(4); // ledgers 4 to 7
    expect((await world.admin("forget", { from: 4, to: 5 })).status).toBe(200);
    const { result } = await world.client.request({ command: "server_info" });
    expect(result.info.complete_ledgers).toBe("1-3,6-7");
    expect(await world.rpc("tx", { transaction: hash, min_ledger: 3, max_ledger: 6 })).toMatchObject({
      error: "txnNotFound",
      searched_all: false,
    });
    expect((await world.rpc("ledger", { ledger_index: 4 }))["error"]).toBe("lgrNotFound");
    expect(await world.rpc("account_tx", { account: BOB.address })).toMatchObject({
      ledger_index_min: 6,
      ledger_index_max: 7,
      transactions: [],
    });
    expect(await world.balance(BOB)).toBe("11000000");
    await world.admin("remember");
    expect(await found(hash)).toBe(4);
  });

  it("can be the oldest, and never the latest", async () => {
    await world.admin("forget", { from: 1, to: 1 });
    expect(await world.admin("forget", { from: 2, to: 2 })).toMatchObject({
      body: { completeLedgers: "3" },
    });
    expect(await world.admin("forget", { from: 3, to: 3 })).toMatchObject({
      status: 400,
      body: { message: "ledgers up to 2 can be forgotten, from the lower to the higher one" },
    });
  });
});

it("the clock closes ledgers, unless it is held", async () => {
  await using timed = await startXrplWorld({ blockMs: 4_000 });
  const index = async (): Promise<unknown> => (await timed.rpc("ledger_closed"))["ledger_index"];
  await timed.admin("hold");
  timed.clock.pass(20_000);
  expect(await index()).toBe(1);
  await timed.admin("resume");
  timed.clock.pass(8_000);
  expect(await index()).toBe(3);
});

it("the ledger's clock can be shifted, and a ledger is always closed after the one before", async () => {
  const closeTime = async (): Promise<number> =>
    (await world.client.request({ command: "ledger", ledger_index: "validated" })).result.ledger.close_time;
  const before = await closeTime();
  await world.admin("shift-clock", { seconds: 3_600 });
  await world.mine();
  const late = await closeTime();
  await world.admin("shift-clock", { seconds: -7_200 });
  await world.mine();
  expect([late - before > 3_500, (await closeTime()) - late]).toEqual([true, 1]);
});

it("the faucet pays the same twice, by ordinary transactions", async () => {
  const input = { address: BOB.address, amount: "2000000" };
  const answers = [await world.admin("fund", input), await world.admin("fund", input)];
  await world.mine();
  expect(await world.balance(BOB)).toBe("14000000");
  for (const { body } of answers) {
    const id = typeof body === "object" && body !== null && "id" in body ? `${body.id}` : "";
    expect(await found(id)).toBe(4);
  }
});

it("the faucet pays the open ledger's fee while it is high", async () => {
  await world.admin("set-fees", { openLedger: 5_000 });
  await world.fund(BOB, 1_000_000);
  expect(await world.balance(BOB)).toBe("11000000");
});

it("the fees and reserves that an operator sets are shown and required", async () => {
  await world.admin("set-fees", { base: 20, reserveBase: 2_000_000, reserveIncrement: 500_000 });
  const { result } = await world.client.request({ command: "server_info" });
  expect(result.info.validated_ledger).toMatchObject({
    base_fee_xrp: 0.00002,
    reserve_base_xrp: 2,
    reserve_inc_xrp: 0.5,
  });
  expect(await world.sendAnything({ Fee: "19" }, ALICE)).toBe("telINSUF_FEE_P");
  expect(await world.sendAnything({ Amount: "1999999" }, ALICE)).toBe("tecNO_DST_INSUF_XRP");
});

it("an operator sees the state of the ledger", async () => {
  const hash = await pay();
  expect(await (await fetch(world.adminUrl)).json()).toMatchObject({
    ledger: "XrpLedger",
    networkId: 20_261,
    index: 3,
    completeLedgers: "1-3",
    fees: { base: 10, openLedger: 10 },
    waiting: [{ id: hash, place: "open" }],
  });
});

it.each<[string, unknown, number, string]>([
  ["mine", { blocks: 0 }, 400, "Too small"],
  ["mine", { blocks: 2_001 }, 400, "Too big"],
  ["fund", { address: "rBad", amount: 1 }, 400, "is no classic address"],
  ["fund", { address: testWallet(9).address, amount: 999_999 }, 400, "tecNO_DST_INSUF_XRP"],
  ["fund", { address: testWallet(9).address, amount: "99999999999999999" }, 400, "tecUNFUNDED_PAYMENT"],
  ["fund", { address: testWallet(9).address, amount: 0 }, 400, "is nothing"],
  ["drop", { id: "short" }, 400, "is no transaction hash"],
  ["drop", { id: "A".repeat(64) }, 404, "does not wait"],
  ["delay", {}, 400, "blocks"],
  ["refuse", { count: 1 }, 400, "name a result or an error"],
  ["refuse", { result: "tefALREADY", error: "tooBusy" }, 400, "name a result or an error"],
  ["refuse", { result: "tesWRONG" }, 400, "is no engine result"],
  ["forget", { from: 2, to: 1 }, 400, "from the lower to the higher one"],
  ["reorg", {}, 400, "there is no reorganisation"],
  ["explode", {}, 404, "there is no action explode"],
])("an order that makes no sense is refused: %s %j", async (action, input, status, words) => {
  const answer = await world.admin(action, input);
  expect(answer).toMatchObject({ status, body: { message: expect.stringContaining(words) } });
});

it.each([
  [
    { chain: "conclave-v1" },
    "an XRP Ledger's chain is its network id, from 0 to 4294967295, not conclave-v1",
  ],
  [{ chain: "4294967296" }, "from 0 to 4294967295"],
])("a ledger does not start with %j", async (options, words) => {
  await expect(startXrplWorld(options)).rejects.toThrow(words);
});
