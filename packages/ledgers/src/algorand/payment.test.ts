import algosdk from "algosdk";
import { expect, it } from "vitest";
import { type AlgorandWorld, startAlgorandWorld, testAccount } from "../testing/algorand-world.ts";

const [ALICE, BOB] = [testAccount(1), testAccount(2)];

const payment = async (
  world: AlgorandWorld,
  more: { readonly amount: number | bigint; readonly closeTo?: algosdk.Account; readonly lease?: Uint8Array },
): Promise<algosdk.Transaction> => {
  const suggestedParams = await world.client.getTransactionParams().do();
  return algosdk.makePaymentTxnWithSuggestedParamsFromObject({
    sender: ALICE.addr,
    receiver: BOB.addr,
    amount: more.amount,
    suggestedParams,
    ...(more.closeTo && { closeRemainderTo: more.closeTo.addr }),
    ...(more.lease && { lease: more.lease }),
  });
};

it("a payment waits, is confirmed by the next block, and costs its stated fee", async () => {
  await using world = await startAlgorandWorld();
  await world.fund(ALICE, 1_000_000);
  const transaction = await payment(world, { amount: 250_000 });
  const id = await world.send(transaction.signTxn(ALICE.sk));
  expect(id).toBe(transaction.txID());

  const waiting = await world.client.pendingTransactionInformation(id).do();
  expect([waiting.confirmedRound, waiting.poolError]).toEqual([undefined, ""]);
  expect(await world.balance(BOB)).toBe(0n);

  await world.mine();
  const confirmed = await algosdk.waitForConfirmation(world.client, id, 1);
  expect(confirmed.confirmedRound).toBe(2n);
  expect(confirmed.txn.txn.txID()).toBe(id);
  expect([await world.balance(ALICE), await world.balance(BOB)]).toEqual([749_000n, 250_000n]);
});

it("the parameters that a node suggests make a transaction that it takes", async () => {
  await using world = await startAlgorandWorld();
  const parameters = await world.client.getTransactionParams().do();
  expect(parameters).toMatchObject({
    genesisID: "conclave-v1",
    minFee: 1000n,
    fee: 0n,
    firstValid: 0n,
    lastValid: 1000n,
  });
  expect(parameters.genesisHash).toHaveLength(32);
});

it("an unused account is empty, and a funded one must keep a tenth of an algo", async () => {
  await using world = await startAlgorandWorld();
  const account = await world.client.accountInformation(BOB.addr).do();
  expect([account.amount, account.minBalance, account.status]).toEqual([0n, 100_000n, "Offline"]);
});

it("closing an account sends all that is left, and the account is gone", async () => {
  await using world = await startAlgorandWorld();
  const carol = testAccount(3);
  await world.fund(ALICE, 1_000_000);
  const id = await world.send((await payment(world, { amount: 200_000, closeTo: carol })).signTxn(ALICE.sk));
  await world.mine();
  const confirmed = await world.client.pendingTransactionInformation(id).do();
  expect(confirmed.closingAmount).toBe(799_000n);
  expect(await Promise.all([ALICE, BOB, carol].map(world.balance))).toEqual([0n, 200_000n, 799_000n]);
});

it("a rekeyed account is signed for by the other key, and by its own no longer", async () => {
  await using world = await startAlgorandWorld();
  await world.fund(ALICE, 1_000_000);
  const suggestedParams = await world.client.getTransactionParams().do();
  const rekey = algosdk.makePaymentTxnWithSuggestedParamsFromObject({
    sender: ALICE.addr,
    receiver: ALICE.addr,
    amount: 0,
    rekeyTo: BOB.addr,
    suggestedParams,
  });
  await world.send(rekey.signTxn(ALICE.sk));
  await world.mine();
  expect((await world.client.accountInformation(ALICE.addr).do()).authAddr?.toString()).toBe(
    BOB.addr.toString(),
  );

  const next = await payment(world, { amount: 150_000 });
  expect(await world.refusal(next.signTxn(ALICE.sk))).toBe(
    `TransactionPool.Remember: transaction ${next.txID()}: should have been authorized by ${BOB.addr} but was actually authorized by ${ALICE.addr}`,
  );
  await world.send(next.signTxn(BOB.sk));
  await world.mine();
  expect(await world.balance(BOB)).toBe(150_000n);
});

it("the same transaction is taken once: waiting, confirmed, and after it has expired", async () => {
  await using world = await startAlgorandWorld();
  await world.fund(ALICE, 1_000_000);
  const transaction = await payment(world, { amount: 200_000 });
  const signed = transaction.signTxn(ALICE.sk);
  await world.send(signed);
  const again = `TransactionPool.Remember: transaction already in ledger: ${transaction.txID()}`;
  expect(await world.refusal(signed)).toBe(again);
  await world.mine();
  expect(await world.refusal(signed)).toBe(again);
  await world.mine(1_000);
  expect(await world.refusal(signed)).toBe(
    "TransactionPool.Remember: txn dead: round 1003 outside of 1--1001",
  );
  expect(await world.balance(BOB)).toBe(200_000n);
});

it("a leased transaction is known by its id while it waits, and by its lease once a block holds it", async () => {
  await using world = await startAlgorandWorld();
  await world.fund(ALICE, 1_000_000);
  const lease = new Uint8Array(32).fill(8);
  const transaction = await payment(world, { amount: 200_000, lease });
  const signed = transaction.signTxn(ALICE.sk);
  await world.send(signed);
  expect(await world.refusal(signed)).toBe(
    `TransactionPool.Remember: transaction already in ledger: ${transaction.txID()}`,
  );
  await world.mine();
  // go-algorand answers so even for the same id (ledger/txtail.go checks the lease before the id)
  expect(await world.refusal(signed)).toBe(
    `TransactionPool.Remember: transaction ${transaction.txID()} using an overlapping lease (sender, lease):(${ALICE.addr}, ${new algosdk.Address(lease)})`,
  );
});

it("a lease admits one transaction until the last valid round of the one that holds it", async () => {
  await using world = await startAlgorandWorld();
  await world.fund(ALICE, 1_000_000);
  const lease = new Uint8Array(32).fill(7);
  await world.send((await payment(world, { amount: 200_000, lease })).signTxn(ALICE.sk));
  const second = await payment(world, { amount: 200_001, lease });
  const overlapping = `TransactionPool.Remember: transaction ${second.txID()} using an overlapping lease (sender, lease):(${ALICE.addr}, ${new algosdk.Address(lease)})`;
  expect(await world.refusal(second.signTxn(ALICE.sk))).toBe(overlapping);
  await world.mine();
  expect(await world.refusal(second.signTxn(ALICE.sk))).toBe(overlapping);

  await world.mine(998); // the next block is round 1001, the last in which the lease is held
  const third = await payment(world, { amount: 200_002, lease });
  expect(await world.refusal(third.signTxn(ALICE.sk))).toContain("using an overlapping lease");
  await world.mine();
  await world.send((await payment(world, { amount: 200_001, lease })).signTxn(ALICE.sk));
  await world.mine();
  expect(await world.balance(BOB)).toBe(400_001n);
});

it("a lease of another sender is another lease", async () => {
  await using world = await startAlgorandWorld();
  const lease = new Uint8Array(32).fill(7);
  await world.fund(ALICE, 1_000_000);
  await world.fund(BOB, 1_000_000);
  const suggestedParams = await world.client.getTransactionParams().do();
  const back = algosdk.makePaymentTxnWithSuggestedParamsFromObject({
    sender: BOB.addr,
    receiver: ALICE.addr,
    amount: 1,
    lease,
    suggestedParams,
  });
  await world.send((await payment(world, { amount: 1, lease })).signTxn(ALICE.sk));
  await world.send(back.signTxn(BOB.sk));
  await world.mine();
  expect([await world.balance(ALICE), await world.balance(BOB)]).toEqual([999_000n, 999_000n]);
});

it("no microalgo comes into being or is lost", async () => {
  await using world = await startAlgorandWorld();
  await world.fund(ALICE, 5_000_000);
  await world.send((await payment(world, { amount: 1_000_000, closeTo: BOB })).signTxn(ALICE.sk));
  await world.mine();
  const block = await world.client.block(2).do();
  const { feeSink } = block.block.header.rewardState;
  const view: unknown = await (await fetch(`${world.url}/v2/accounts/${feeSink}`)).json();
  expect(view).toMatchObject({ amount: 100_000 + 2_000 });
  expect(block.block.header.feesCollected).toBe(1_000n);
});
