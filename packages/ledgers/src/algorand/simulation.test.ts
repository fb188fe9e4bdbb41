import algosdk from "algosdk";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type AlgorandWorld, startAlgorandWorld, testAccount } from "../testing/algorand-world.ts";

const [ALICE, BOB] = [testAccount(1), testAccount(2)];

let world: AlgorandWorld;
beforeAll(async () => {
  world = await startAlgorandWorld();
  await world.fund(ALICE, 1_000_000);
});
afterAll(() => world[Symbol.asyncDispose]());

const payment = async (
  more: Partial<Parameters<typeof algosdk.makePaymentTxnWithSuggestedParamsFromObject>[0]> = {},
) =>
  algosdk.makePaymentTxnWithSuggestedParamsFromObject({
    sender: ALICE.addr,
    receiver: BOB.addr,
    amount: 200_000,
    suggestedParams: await world.client.getTransactionParams().do(),
    ...more,
  });

/** Simulates a transaction without a signature, as the SDK asks for it. */
const simulated = async (transaction: algosdk.Transaction) => {
  const request = new algosdk.modelsv2.SimulateRequest({
    allowEmptySignatures: true,
    txnGroups: [
      new algosdk.modelsv2.SimulateRequestTransactionGroup({
        txns: [algosdk.decodeSignedTransaction(algosdk.encodeUnsignedSimulateTransaction(transaction))],
      }),
    ],
  });
  const response = await world.client.simulateTransactions(request).do();
  return { lastRound: response.lastRound, ...response.txnGroups[0] };
};

describe("a simulation of an unsigned transaction", () => {
  it("tells that it could stand in the next block, and changes nothing", async () => {
    const transaction = await payment();
    const before = await world.balance(ALICE);
    const { failureMessage, lastRound, txnResults } = await simulated(transaction);
    expect([failureMessage, lastRound]).toEqual([undefined, 1n]);
    expect(txnResults?.[0]?.txnResult.txn.txn.txID()).toBe(transaction.txID());
    expect(await world.balance(ALICE)).toBe(before);
    expect((await world.client.pendingTransactionsInformation().do()).totalTransactions).toBe(0);
  });

  it("tells in the pool's words why it could not", async () => {
    const dear = await payment({ amount: 2_000_000 });
    const { failureMessage, failedAt } = await simulated(dear);
    expect(failureMessage).toContain(`transaction ${dear.txID()}: overspend (account ${ALICE.addr}`);
    expect(failedAt).toEqual([0]);
    const small = await payment({ amount: 1 });
    expect((await simulated(small)).failureMessage).toContain("balance 1 below min 100000 (0 assets)");
  });

  it("ignores the pool, and uses the ledger's state", async () => {
    const transaction = await payment({ lease: new Uint8Array(32).fill(1) });
    await world.send(transaction.signTxn(ALICE.sk));
    expect((await simulated(transaction)).failureMessage).toBeUndefined();
    await world.mine();
    expect((await simulated(transaction)).failureMessage).toContain("using an overlapping lease");
  });

  it("refuses what is malformed by itself", async () => {
    const closing = await payment({ closeRemainderTo: ALICE.addr });
    await expect(simulated(closing)).rejects.toThrow("transaction cannot close account to its sender");
  });
});
