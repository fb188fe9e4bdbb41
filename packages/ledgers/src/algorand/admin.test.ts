import algosdk from "algosdk";
import { afterEach, beforeEach, expect, it } from "vitest";
import { type AlgorandWorld, startAlgorandWorld, testAccount } from "../testing/algorand-world.ts";

const [ALICE, BOB] = [testAccount(1), testAccount(2)];

let world: AlgorandWorld;

beforeEach(async () => {
  world = await startAlgorandWorld();
  await world.fund(ALICE, 1_000_000);
});

afterEach(() => world[Symbol.asyncDispose]());

const payment = async (amount: number): Promise<algosdk.Transaction> =>
  algosdk.makePaymentTxnWithSuggestedParamsFromObject({
    sender: ALICE.addr,
    receiver: BOB.addr,
    amount,
    suggestedParams: await world.client.getTransactionParams().do(),
  });

const pay = async (amount: number): Promise<string> => world.send((await payment(amount)).signTxn(ALICE.sk));

const pending = (id: string) => world.client.pendingTransactionInformation(id).do();

it("a dropped transaction is forgotten, and the same bytes are taken again", async () => {
  const signed = (await payment(200_000)).signTxn(ALICE.sk);
  const id = await world.send(signed);
  expect(await world.admin("drop", { id })).toMatchObject({ status: 200, body: { waiting: [] } });
  await expect(pending(id)).rejects.toThrow("could not find the transaction");
  await world.mine();
  expect(await world.balance(BOB)).toBe(0n);
  await world.send(signed);
  await world.mine();
  expect(await world.balance(BOB)).toBe(200_000n);
});

it("a delayed transaction stays out of that many blocks, while others pass it", async () => {
  const slow = await pay(200_000);
  expect((await world.admin("delay", { id: slow, rounds: 2 })).status).toBe(200);
  const quick = await pay(100_000);
  await world.mine(2);
  expect([(await pending(slow)).confirmedRound, (await pending(quick)).confirmedRound]).toEqual([
    undefined,
    2n,
  ]);
  await world.mine();
  expect((await pending(slow)).confirmedRound).toBe(4n);
});

it("a transaction that is delayed beyond its last valid round expires unconfirmed, and the node says why", async () => {
  const id = await pay(200_000);
  await world.admin("delay", { rounds: 2_000 });
  await world.mine(1_000); // round 1001, the last in which it is valid
  const words = "txn dead: round 1002 outside of 1--1001";
  expect((await pending(id)).poolError).toBe(words);
  await world.mine();
  await expect(algosdk.waitForConfirmation(world.client, id, 1)).rejects.toThrow(
    `Transaction Rejected: ${words}`,
  );
  expect(await world.balance(BOB)).toBe(0n);
});

it("a transaction that counted on a dropped one fails with it", async () => {
  const first = await pay(200_000);
  const back = algosdk.makePaymentTxnWithSuggestedParamsFromObject({
    sender: BOB.addr,
    receiver: ALICE.addr,
    amount: 50_000,
    suggestedParams: await world.client.getTransactionParams().do(),
  });
  const id = await world.send(back.signTxn(BOB.sk));
  expect((await pending(id)).poolError).toBe("");
  await world.admin("drop", { id: first });
  expect((await pending(id)).poolError).toBe(
    `transaction ${id}: overspend (account ${BOB.addr}, data {MicroAlgos:0.0A}, tried to spend 1mA)`,
  );
});

it("arranged refusals have the operator's message, the given number of times", async () => {
  await world.admin("refuse", { count: 2, message: "node is out of memory", status: 500 });
  const signed = (await payment(200_000)).signTxn(ALICE.sk);
  for (let tries = 0; tries < 2; tries += 1) {
    await expect(world.client.sendRawTransaction(signed).do()).rejects.toThrow("node is out of memory");
  }
  await world.send(signed);
});

it("a lost reply does not reach the caller, and the transaction stays in the pool", async () => {
  await world.admin("lose-replies", { count: 1 });
  const transaction = await payment(200_000);
  const signed = transaction.signTxn(ALICE.sk);
  await expect(world.client.sendRawTransaction(signed).do()).rejects.toThrow("fetch failed");
  expect(await world.refusal(signed)).toBe(
    `TransactionPool.Remember: transaction already in ledger: ${transaction.txID()}`,
  );
  await world.mine();
  expect(await world.balance(BOB)).toBe(200_000n);
});

it("when fees rise, so do the suggested fee and the minimum", async () => {
  const old = await payment(200_000);
  await world.admin("set-fees", { minimum: 5_000 });
  expect((await world.client.getTransactionParams().do()).minFee).toBe(5_000n);
  expect(await world.refusal(old.signTxn(ALICE.sk))).toContain("txgroup with 1mA fees is less than 5mA");
  await pay(200_000);
});

it("a transaction that waits while fees rise is thrown out by the next block", async () => {
  const id = await pay(200_000);
  await world.admin("set-fees", { minimum: 5_000 });
  await world.mine();
  expect((await pending(id)).poolError).toContain("txgroup with 1mA fees is less than 5mA");
});

it("the ledger's clock can be shifted, and blocks never get older", async () => {
  await world.admin("shift-clock", { seconds: 3_600 });
  await world.mine();
  await world.admin("shift-clock", { seconds: -7_200 });
  await world.mine();
  const [one, two] = await Promise.all([2, 3].map((round) => world.client.block(round).do()));
  expect([one?.block.header.timestamp, two?.block.header.timestamp]).toEqual([
    1_795_136_400n,
    1_795_136_400n,
  ]);
});

it("the block timer can be held and started again", async () => {
  await using timed = await startAlgorandWorld({ blockMs: 1_000 });
  const round = async (): Promise<bigint> => (await timed.client.status().do()).lastRound;
  await timed.admin("hold");
  timed.clock.pass(5_000);
  expect(await round()).toBe(0n);
  await timed.admin("resume");
  timed.clock.pass(2_000);
  expect(await round()).toBe(2n);
});

it("the faucet pays by an ordinary transaction", async () => {
  const { status, body } = await world.admin("fund", { address: BOB.addr.toString(), amount: "150000" });
  expect(status).toBe(200);
  const id = typeof body === "object" && body !== null && "id" in body ? String(body.id) : "";
  await world.mine();
  const { txn, confirmedRound } = await pending(id);
  expect([txn.txn.payment?.amount, confirmedRound]).toEqual([150_000n, 2n]);
});

it("the faucet pays the same amount to the same address twice in one block", async () => {
  const input = { address: BOB.addr.toString(), amount: 150_000 };
  await world.admin("fund", input);
  await world.admin("fund", input);
  await world.mine();
  expect(await world.balance(BOB)).toBe(300_000n);
});

it("there is no reorganisation, and the refusal says what to do instead", async () => {
  expect(await world.admin("reorg", { depth: 1 })).toEqual({
    status: 400,
    body: {
      message:
        "an Algorand block is final when it is made: there is no reorganisation; delay or drop a transaction instead, until it expires",
    },
  });
});

it.each<[string, unknown, number, string]>([
  ["mine", { blocks: 0 }, 400, "Too small"],
  ["mine", { blocks: 2_001 }, 400, "Too big"],
  ["mine", { block: 1 }, 400, "Unrecognized key"],
  ["fund", { address: "ABC", amount: 1 }, 400, "is no Algorand address"],
  ["fund", { address: testAccount(9).addr.toString(), amount: 99_999 }, 400, "below min 100000"],
  ["fund", { address: testAccount(9).addr.toString(), amount: "9999999999999999" }, 400, "overspend"],
  ["fund", { address: testAccount(9).addr.toString(), amount: -1 }, 400, "Too small"],
  ["fund", { address: testAccount(9).addr.toString(), amount: 0 }, 400, "is nothing"],
  ["drop", { id: "short" }, 400, "is no transaction id"],
  ["drop", { id: "A".repeat(52) }, 404, "does not wait in the pool"],
  ["delay", {}, 400, "rounds"],
  ["refuse", { count: 1 }, 400, "message"],
  ["explode", {}, 404, "there is no action explode; there are: mine, hold"],
  ["toString", {}, 404, "there is no action toString"],
])("an order that makes no sense is refused: %s %j", async (action, input, status, words) => {
  const answer = await world.admin(action, input);
  expect(answer).toMatchObject({ status, body: { message: expect.stringContaining(words) } });
});
