import { afterEach, beforeEach, expect, it } from "vitest";
import { startTronWorld, type TronWorld, tronTestAddress, tronTestKey } from "../testing/tron-world.ts";

const [ALICE, BOB, CAROL] = [tronTestKey(1), tronTestKey(2), tronTestKey(3)];
const TRX = 1_000_000;

let world: TronWorld;
beforeEach(async () => {
  world = await startTronWorld();
  await world.fund(ALICE, 1_000 * TRX);
});
afterEach(() => world[Symbol.asyncDispose]());

const payment = (sun: number, to = BOB) =>
  world.client.transactionBuilder.sendTrx(tronTestAddress(to), sun, tronTestAddress(ALICE));
const pay = async (sun: number, to = BOB): Promise<string> => world.send(await payment(sun, to), ALICE);
const blockOf = async (id: string): Promise<unknown> => (await world.info(id))["blockNumber"];

it("a dropped transaction is forgotten, and the same bytes are taken again", async () => {
  const transaction = await payment(TRX);
  const id = await world.send(transaction, ALICE);
  expect(await world.admin("drop", { id })).toMatchObject({ status: 200, body: { waiting: [] } });
  expect(await world.admin("drop", { id })).toMatchObject({ status: 404 });
  await world.mine();
  expect(await world.balance(BOB)).toBe(0);
  await world.send(transaction, ALICE);
  await world.mine();
  expect(await world.balance(BOB)).toBe(TRX);
});

it("a delayed transaction stays out of that many blocks, and one that is delayed beyond its expiration never lands", async () => {
  const slow = await pay(TRX);
  await world.admin("delay", { id: slow, blocks: 2 });
  const quick = await pay(TRX, CAROL);
  await world.mine(3);
  expect([await blockOf(quick), await blockOf(slow)]).toEqual([2, 4]);
  const late = await pay(TRX);
  await world.admin("delay", { id: late, blocks: 2 });
  await world.admin("shift-clock", { seconds: 61 });
  await world.mine(5);
  expect(await world.info(late)).toEqual({});
  expect(await world.balance(BOB)).toBe(TRX);
});

it("the next submissions are refused in a node's words, swallowed, or answered by nothing", async () => {
  await world.admin("refuse", { code: "SERVER_BUSY", message: "Server busy." });
  expect(await world.refusal(await payment(1), ALICE)).toBe("SERVER_BUSY: Server busy.");
  await world.admin("swallow", {});
  const swallowed = await payment(2);
  await world.send(swallowed, ALICE);
  await world.mine();
  expect(await world.info(swallowed.txID)).toEqual({});
  await world.admin("lose-replies", {});
  const lost = await payment(3);
  await expect(world.send(lost, ALICE)).rejects.toThrow();
  await world.mine();
  expect(await world.info(lost.txID)).toMatchObject({ id: lost.txID });
});

it("blocks that are not solid are taken back, and their transactions wait again", async () => {
  const id = await pay(TRX);
  await world.mine();
  expect(await blockOf(id)).toBe(2);
  expect(await world.admin("reorg", { depth: 1 })).toMatchObject({ status: 200, body: { block: 3 } });
  expect(await world.info(id)).toEqual({});
  expect(await world.balance(BOB)).toBe(0);
  await world.mine();
  expect(await blockOf(id)).toBe(4);
  await world.mine(3);
  expect(await world.admin("reorg", { depth: 4 })).toMatchObject({ status: 400 });
  expect(await world.balance(BOB)).toBe(TRX);
});

it("prices that an operator sets are charged", async () => {
  await pay(TRX);
  await world.mine();
  await world.admin("set-fees", { bandwidth: 2_000, energy: 300 });
  await pay(1);
  await pay(2);
  const third = await pay(3);
  await world.mine();
  expect(await world.info(third)).toMatchObject({ fee: 2_000 * 265, receipt: { net_fee: 2_000 * 265 } });
  const parameters = await world.client.trx.getChainParameters();
  expect(parameters).toContainEqual({ key: "getTransactionFee", value: 2_000 });
  expect(parameters).toContainEqual({ key: "getEnergyFee", value: 300 });
});

it("the free bandwidth comes back within a day", async () => {
  await pay(TRX);
  await world.mine();
  await pay(1);
  await world.mine();
  const used = async () => (await world.client.trx.getAccountResources(tronTestAddress(ALICE))).freeNetUsed;
  expect(await used()).toBe(265);
  await world.admin("shift-clock", { seconds: 43_200 });
  await world.mine();
  expect(await used()).toBe(133);
});

it("blocks come by the clock, unless it is held", async () => {
  await using timed = await startTronWorld({ blockMs: 3_000 });
  const number = async () => (await timed.client.trx.getCurrentBlock()).block_header.raw_data.number ?? 0;
  timed.clock.pass(3_000);
  await expect.poll(number).toBe(1);
  await timed.admin("hold");
  timed.clock.pass(9_000);
  expect(await number()).toBe(1);
  await timed.admin("resume");
  timed.clock.pass(3_000);
  await expect.poll(number).toBe(2);
});

it("an operator's request is checked", async () => {
  for (const [action, input] of [
    ["fund", { address: "nobody", amount: 1 }],
    ["fund", { address: tronTestAddress(BOB), amount: 0 }],
    ["mine", { blocks: 0 }],
    ["refuse", { code: "NO_SUCH_CODE", message: "x" }],
    ["set-fees", { energy: -1 }],
  ] as const) {
    expect([action, (await world.admin(action, input)).status]).toEqual([action, 400]);
  }
  expect(
    (await world.admin("fund", { address: tronTestAddress(BOB), amount: "99999999999999999" })).status,
  ).toBe(400);
});

it("a node that wants a key answers nobody without it", async () => {
  await using guarded = await startTronWorld({ token: "secret" });
  expect(await guarded.client.trx.getCurrentBlock()).toHaveProperty("blockID");
  expect((await fetch(`${guarded.url}/wallet/getnowblock`)).status).toBe(401);
});
