import { afterEach, beforeEach, expect, it } from "vitest";
import {
  type BitcoinTestCoin,
  type BitcoinWorld,
  bitcoinTestKey,
  fieldOf,
  outputOfPayment,
  signedPayment,
  startBitcoinWorld,
} from "../testing/bitcoin-world.ts";

const [ALICE, BOB] = [bitcoinTestKey(1), bitcoinTestKey(2)];

let world: BitcoinWorld;
let coin: BitcoinTestCoin;

beforeEach(async () => {
  world = await startBitcoinWorld();
  coin = await world.fund(ALICE.p2wpkh, 1_000_000);
});

afterEach(() => world[Symbol.asyncDispose]());

const payment = (fee = 1_000): string => signedPayment(ALICE, [coin], BOB.p2wpkh, { fee });

const send = async (raw: string): Promise<string> => String(await world.rpc("sendrawtransaction", raw));

const waiting = (): Promise<unknown> => world.rpc("getrawmempool");

it("a dropped transaction is forgotten, and the same bytes are taken again", async () => {
  const id = await send(payment());
  expect(await world.admin("drop", { id })).toMatchObject({ status: 200, body: { waiting: [] } });
  await world.mine();
  expect(await world.refusal("getrawtransaction", id)).toMatchObject({ code: -5 });
  expect(await send(payment())).toBe(id);
});

it("a delayed transaction stays out of that many blocks with its descendants, while others pass it", async () => {
  const other = await world.fund(ALICE.p2tr, 50_000);
  const slow = await send(payment());
  const child = await send(signedPayment(BOB, [outputOfPayment(payment())], ALICE.p2wpkh));
  expect((await world.admin("delay", { id: slow, blocks: 2 })).status).toBe(200);
  await send(signedPayment(ALICE, [other], BOB.p2wpkh));
  await world.mine(2);
  expect(await waiting()).toEqual([slow, child]);
  await world.mine();
  expect(await waiting()).toEqual([]);
});

it("arranged refusals have the operator's message and code, the given number of times", async () => {
  await world.admin("refuse", { count: 2, message: "too-large-cluster", code: -26 });
  for (let tries = 0; tries < 2; tries += 1) {
    expect(await world.refusal("sendrawtransaction", payment())).toEqual({
      status: 500,
      code: -26,
      message: "too-large-cluster",
    });
  }
  await send(payment());
});

it("a node that is still starting says so, of every call", async () => {
  await world.admin("warm-up", { count: 2 });
  const answers = [
    await world.refusal("getblockcount"),
    await world.refusal("sendrawtransaction", payment()),
  ];
  expect(answers).toEqual([0, 1].map(() => ({ status: 500, code: -28, message: "Loading block index…" })));
  expect(await world.rpc("getblockcount")).toBe(1);
});

it("a lost reply does not reach the caller, and the transaction stays in the mempool", async () => {
  await world.admin("lose-replies", { count: 1 });
  await expect(send(payment())).rejects.toThrow("fetch failed");
  expect(await waiting()).toEqual([outputOfPayment(payment()).txid]);
  expect(await send(payment())).toBe(outputOfPayment(payment()).txid);
});

it("when fees rise, so do the minimum and the estimates", async () => {
  const estimates = [
    { blocks: 144, rate: 7_000 },
    { blocks: 3, rate: 90_000 },
  ];
  expect(await world.admin("set-fees", { minimumRelay: 20_000, estimates })).toMatchObject({
    body: {
      fees: { minimumRelay: 20_000, incrementalRelay: 1_000, estimates: [{ blocks: 3 }, { blocks: 144 }] },
    },
  });
  expect(await world.refusal("sendrawtransaction", payment())).toMatchObject({
    message: "min relay fee not met, 1000 < 2200",
  });
  expect(await world.rpc("estimatesmartfee", 6)).toMatchObject({ feerate: 0.0009 });
  expect(await world.rpc("estimatesmartfee", 2)).toMatchObject({ errors: [expect.any(String)] });
});

it("the ledger's clock can be shifted, and no block is older than the median of those before it", async () => {
  const latest = async (): Promise<unknown> =>
    world.rpc("getblockheader", await world.rpc("getbestblockhash"));
  await world.admin("shift-clock", { seconds: 3_600 });
  await world.mine();
  expect(await latest()).toMatchObject({ time: 1_795_136_400 });
  await world.mine(10);
  await world.admin("shift-clock", { seconds: -7_200 });
  const median = Number(fieldOf(await latest(), "mediantime"));
  await world.mine();
  expect(await latest()).toMatchObject({ time: median + 1 });
});

it("the block timer can be held and started again", async () => {
  await using timed = await startBitcoinWorld({ blockMs: 1_000 });
  await timed.admin("hold");
  timed.clock.pass(5_000);
  expect(await timed.rpc("getblockcount")).toBe(0);
  await timed.admin("resume");
  timed.clock.pass(2_000);
  expect(await timed.rpc("getblockcount")).toBe(2);
});

it("the faucet pays by an ordinary transaction, also many in one block, and more than one coin holds", async () => {
  const input = { address: BOB.p2tr, amount: "2600000000000" };
  const ids = [];
  for (let count = 0; count < 3; count += 1) ids.push(fieldOf((await world.admin("fund", input)).body, "id"));
  expect(await waiting()).toEqual(ids);
  expect(await world.rpc("getrawtransaction", ids[0], true)).toMatchObject({
    vin: [{ sequence: 0xfffffffd }, {}],
    vout: [{ value: 26_000 }, {}],
  });
  await world.mine();
  expect(await world.rpc("scantxoutset", "start", [`addr(${BOB.p2tr})`])).toMatchObject({
    total_amount: 78_000,
  });
});

it("the faucet spends its own change when all its coins are under way", async () => {
  await world.admin("set-fees", { minimumRelay: 0, minimumMined: 0 });
  const everything = { address: BOB.p2wpkh, amount: `${25_000 * 199 * 100_000_000}` };
  expect((await world.admin("fund", everything)).status).toBe(200);
  const [first, second] = [
    await world.admin("fund", { address: BOB.p2wpkh, amount: 1_000 }),
    await world.admin("fund", { address: BOB.p2wpkh, amount: 1_000 }),
  ];
  expect([first.status, second.status]).toEqual([200, 200]);
  expect(await world.rpc("getmempoolentry", fieldOf(second.body, "id"))).toMatchObject({ ancestorcount: 2 });
});

it("blocks can be mined for an address, whose rewards it can spend a hundred blocks later", async () => {
  await world.admin("mine", { blocks: 2, address: BOB.p2wpkh });
  expect(await world.rpc("scantxoutset", "start", [`addr(${BOB.p2wpkh})`])).toMatchObject({
    total_amount: 100,
  });
});

it("an operator sees the state of the ledger", async () => {
  const id = await send(payment());
  const seen = await fetch(world.adminUrl);
  expect(await seen.json()).toMatchObject({
    ledger: "Bitcoin",
    network: "regtest",
    genesisHash: await world.rpc("getblockhash", 0),
    height: 1,
    blockHash: await world.rpc("getbestblockhash"),
    blocksAreMadeByTheClock: false,
    faucet: expect.stringMatching(/^bcrt1q/),
    waiting: [{ id, fee: 1_000 }],
  });
});

it.each<[string, unknown, number, string]>([
  ["mine", { blocks: 0 }, 400, "Too small"],
  ["mine", { blocks: 2_001 }, 400, "Too big"],
  ["mine", { block: 1 }, 400, "Unrecognized key"],
  ["mine", { address: "nobody" }, 400, "is no address of Bitcoin's network regtest"],
  ["fund", { address: "bc1qar0srrr7xfkvy5l643lydnw9re59gtzzwf5mdq", amount: 1 }, 400, "is no address"],
  ["fund", { address: ALICE.p2wpkh, amount: 293 }, 400, "dust"],
  ["fund", { address: ALICE.p2wpkh, amount: "600000000000000" }, 400, "the faucet has too little"],
  ["fund", { address: ALICE.p2wpkh, amount: "2100000000000001" }, 400, "is more than there will ever be"],
  ["fund", { address: ALICE.p2wpkh, amount: 0 }, 400, "is nothing"],
  ["drop", { id: "short" }, 400, "is no transaction id"],
  ["drop", { id: "ab".repeat(32) }, 404, "does not wait in the mempool"],
  ["delay", {}, 400, "blocks"],
  ["reorg", { depth: 501 }, 400, "Too big"],
  ["refuse", { count: 1 }, 400, "message"],
  ["set-fees", { estimates: [{ blocks: 1_009, rate: 1 }] }, 400, "Too big"],
  ["explode", {}, 404, "there is no action explode; there are: mine, hold"],
])("an order that makes no sense is refused: %s %j", async (action, input, status, words) => {
  expect(await world.admin(action, input)).toMatchObject({
    status,
    body: { message: expect.stringContaining(words) },
  });
});
