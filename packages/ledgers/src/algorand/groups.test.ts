import algosdk from "algosdk";
import { afterEach, beforeEach, expect, it } from "vitest";
import { type AlgorandWorld, startAlgorandWorld, testAccount } from "../testing/algorand-world.ts";

const [ALICE, BOB] = [testAccount(1), testAccount(2)];

let world: AlgorandWorld;

beforeEach(async () => {
  world = await startAlgorandWorld();
  await world.fund(ALICE, 1_000_000);
  await world.fund(BOB, 1_000_000);
});

afterEach(() => world[Symbol.asyncDispose]());

const payment = async (
  from: algosdk.Account,
  to: algosdk.Account,
  amount: number,
  fee = 1_000,
): Promise<algosdk.Transaction> =>
  algosdk.makePaymentTxnWithSuggestedParamsFromObject({
    sender: from.addr,
    receiver: to.addr,
    amount,
    suggestedParams: { ...(await world.client.getTransactionParams().do()), flatFee: true, fee },
  });

it("a group is carried out as one, and one transaction may pay for the other", async () => {
  const [first, second] = algosdk.assignGroupID([
    await payment(ALICE, BOB, 300_000, 2_000),
    await payment(BOB, ALICE, 100_000, 0),
  ]);
  if (first === undefined || second === undefined) throw new Error("there are two");
  expect(await world.send([first.signTxn(ALICE.sk), second.signTxn(BOB.sk)])).toBe(first.txID());
  await world.mine();
  expect([await world.balance(ALICE), await world.balance(BOB)]).toEqual([798_000n, 1_200_000n]);
});

it("a group with one invalid transaction changes nothing", async () => {
  const [first, second] = algosdk.assignGroupID([
    await payment(ALICE, BOB, 300_000),
    await payment(BOB, ALICE, 5_000_000),
  ]);
  if (first === undefined || second === undefined) throw new Error("there are two");
  const words = await world.refusal([first.signTxn(ALICE.sk), second.signTxn(BOB.sk)]);
  expect(words).toContain(`transaction ${second.txID()}: overspend`);
  await world.mine();
  expect([await world.balance(ALICE), await world.balance(BOB)]).toEqual([1_000_000n, 1_000_000n]);
});

it("a group must be complete, in order, and have its group id", async () => {
  const transactions = [await payment(ALICE, BOB, 1), await payment(ALICE, BOB, 2)];
  const bare = transactions.map((each) => each.signTxn(ALICE.sk));
  expect(await world.refusal(bare)).toBe(
    "transactionGroup: [0] had zero Group but was submitted in a group of 2",
  );
  const [first, second] = algosdk.assignGroupID(transactions).map((each) => each.signTxn(ALICE.sk));
  if (first === undefined || second === undefined) throw new Error("there are two");
  expect(await world.refusal(first)).toContain("transactionGroup: incomplete group: ");
  expect(await world.refusal([second, first])).toContain("transactionGroup: incomplete group: ");
  const alone = (await payment(ALICE, BOB, 3)).signTxn(ALICE.sk);
  expect(await world.refusal([first, alone])).toContain("transactionGroup: inconsistent group values: ");
});

it("a group has at most sixteen transactions", async () => {
  const transactions = await Promise.all(Array.from({ length: 17 }, (_, at) => payment(ALICE, BOB, at + 1)));
  const whole = algosdk.assignGroupID(transactions.slice(0, 16)).map((each) => each.signTxn(ALICE.sk));
  const more = transactions.slice(16).map((each) => each.signTxn(ALICE.sk));
  expect(await world.refusal([...whole, ...more])).toBe("max group size is 16");
  await world.send(whole);
});

it("a group whose fees do not cover all is refused", async () => {
  const transactions = [await payment(ALICE, BOB, 1), await payment(ALICE, BOB, 2, 999)];
  const signed = algosdk.assignGroupID(transactions).map((each) => each.signTxn(ALICE.sk));
  expect(await world.refusal(signed)).toBe(
    "TransactionPool.Remember: txgroup with 1.999mA fees is less than 2mA (usage=2.000000 * base=1mA)",
  );
});

it("one transaction cannot stand twice in a group, nor can one lease", async () => {
  const lease = new Uint8Array(32).fill(3);
  const suggestedParams = await world.client.getTransactionParams().do();
  const leased = [1, 2].map((amount) =>
    algosdk.makePaymentTxnWithSuggestedParamsFromObject({
      sender: ALICE.addr,
      receiver: BOB.addr,
      amount,
      lease,
      suggestedParams,
    }),
  );
  const both = algosdk.assignGroupID(leased).map((each) => each.signTxn(ALICE.sk));
  expect(await world.refusal(both)).toContain("using an overlapping lease");
  const same = await payment(ALICE, BOB, 1);
  const copies = algosdk.assignGroupID([same, await payment(ALICE, BOB, 1)]);
  expect(await world.refusal(copies.map((each) => each.signTxn(ALICE.sk)))).toContain(
    "transaction already in ledger: ",
  );
});
