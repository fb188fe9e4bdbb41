import algosdk from "algosdk";
import { expect, it } from "vitest";
import { type AlgorandWorld, startAlgorandWorld, testAccount } from "../testing/algorand-world.ts";

const [ALICE, BOB] = [testAccount(1), testAccount(2)];

const payment = async (world: AlgorandWorld, amount: number, more: { readonly close?: boolean } = {}) =>
  algosdk.makePaymentTxnWithSuggestedParamsFromObject({
    sender: ALICE.addr,
    receiver: BOB.addr,
    amount,
    suggestedParams: await world.client.getTransactionParams().do(),
    ...(more.close && { closeRemainderTo: BOB.addr }),
  });

const faucet = async (world: AlgorandWorld): Promise<algosdk.Address> => {
  const [first] = (await world.client.block(1).do()).block.payset;
  if (first === undefined) throw new Error("the faucet paid in the first block");
  return first.signedTxn.signedTxn.txn.sender;
};

it("a block has all effects of its transactions, so that no further request is needed", async () => {
  await using world = await startAlgorandWorld();
  await world.fund(ALICE, 1_000_000);
  const transaction = await payment(world, 200_000, { close: true });
  await world.send(transaction.signTxn(ALICE.sk));
  world.clock.pass(5_000);
  await world.mine();

  const { block } = await world.client.block(2).do();
  expect(block.header).toMatchObject({ round: 2n, genesisID: "conclave-v1", timestamp: 1_795_132_805n });
  const [only] = block.payset;
  expect(block.payset).toHaveLength(1);
  expect(only?.hasGenesisID).toBe(true);
  expect(only?.signedTxn.applyData?.closingAmount).toBe(799_000n);
  const { payment: paid, sender } = only?.signedTxn.signedTxn.txn ?? {};
  expect([sender?.toString(), paid?.receiver.toString(), paid?.amount]).toEqual([
    ALICE.addr.toString(),
    BOB.addr.toString(),
    200_000n,
  ]);
  expect((await world.client.getBlockTxids(2).do()).blocktxids).toEqual([transaction.txID()]);
});

it("the JSON form has the same content, with full 64-bit numbers", async () => {
  await using world = await startAlgorandWorld();
  await world.fund(ALICE, 1_000_001);
  const id = await world.send((await payment(world, 200_000)).signTxn(ALICE.sk));
  const path = `/v2/transactions/pending/${id}`;
  const read = async (url: string): Promise<unknown> => (await fetch(`${world.url}${url}`)).json();
  expect(await read(path)).toMatchObject({ "pool-error": "", txn: { txn: { fee: 1_000, amt: 200_000 } } });
  await world.mine();
  expect(await read(`${path}?format=json`)).toMatchObject({
    "confirmed-round": 2,
    "closing-amount": 0,
    txn: { txn: { type: "pay", snd: ALICE.addr.toString(), rcv: BOB.addr.toString() } },
  });
  expect(await read("/v2/blocks/2")).toMatchObject({
    block: { rnd: 2, gen: "conclave-v1", txns: [{ hgi: true, txn: { snd: ALICE.addr.toString() } }] },
  });
  const large = await fetch(`${world.url}/v2/accounts/${(await faucet(world)).toString()}`);
  expect(await large.text()).toContain('"amount":9999999998898999,');
});

it("each block names the one before by its hash", async () => {
  await using world = await startAlgorandWorld();
  await world.mine(2);
  const { blockhash } = await world.client.getBlockHash(1).do();
  const { block } = await world.client.block(2).do();
  expect(new algosdk.Address(block.header.branch).toString().slice(0, 51)).toBe(blockhash.slice(0, 51));
});

it("a block that is not there yet is not found, in algod's words", async () => {
  await using world = await startAlgorandWorld();
  await expect(world.client.block(7).do()).rejects.toThrow("failed to retrieve information from the ledger");
  await expect(world.client.getBlockHash(7).do()).rejects.toThrow("404");
});

it("a ledger does not start beside another on its admin port, and leaves nothing behind", async () => {
  await using world = await startAlgorandWorld();
  const adminPort = Number(new URL(world.adminUrl).port);
  await expect(startAlgorandWorld({ adminPort })).rejects.toThrow("EADDRINUSE");
});

it("a transaction that nobody knows is not found, in algod's words", async () => {
  await using world = await startAlgorandWorld();
  const id = (await payment(world, 1)).txID();
  await expect(world.client.pendingTransactionInformation(id).do()).rejects.toThrow(
    "could not find the transaction in the transaction pool or in the last 1000 confirmed rounds",
  );
});

it("the clock makes the blocks, and a caller that waits for one is answered", async () => {
  await using world = await startAlgorandWorld({ blockMs: 1_000 });
  const before = await world.client.status().do();
  expect(before.lastRound).toBe(0n);
  const waiting = world.client.statusAfterBlock(0).do();
  await expect.poll(() => world.clock.pending).toBe(2); // the block timer, and the end of the wait
  world.clock.pass(1_000);
  expect((await waiting).lastRound).toBe(1n);
  world.clock.pass(2_500);
  const after = await world.client.status().do();
  expect([after.lastRound, after.timeSinceLastRound]).toEqual([3n, 500_000_000n]);
  expect(world.clock.pending).toBe(1);
});

it("a caller that waits for a block that does not come gets an error after a minute", async () => {
  await using world = await startAlgorandWorld();
  const waiting = world.client.statusAfterBlock(5).do();
  await expect.poll(() => world.clock.pending).toBe(1);
  world.clock.pass(60_000);
  expect((await waiting).lastRound).toBe(0n);
});

it("transactions wait in their order, and the pool can be listed", async () => {
  await using world = await startAlgorandWorld();
  await world.fund(ALICE, 1_000_000);
  const ids: string[] = [];
  for (const amount of [100_000, 1, 2]) {
    ids.push(await world.send((await payment(world, amount)).signTxn(ALICE.sk)));
  }
  const listed = await world.client.pendingTransactionsInformation().max(2).do();
  expect(listed.totalTransactions).toBe(3);
  expect(listed.topTransactions.map(({ txn }) => txn.txID())).toEqual(ids.slice(0, 2));
});

it("a ledger says that it is healthy and ready, and which chain it is", async () => {
  await using world = await startAlgorandWorld({ token: "secret" });
  await world.client.healthCheck().do();
  await world.client.ready().do();
  const [versions, { genesisID, genesisHash }] = await Promise.all([
    world.client.versionsCheck().do(),
    world.client.getTransactionParams().do(),
  ]);
  expect([versions.genesisId, versions.genesisHashB64]).toEqual([genesisID, genesisHash]);
});

it("a ledger that was given a token asks for it", async () => {
  await using world = await startAlgorandWorld({ token: "secret" });
  expect((await world.client.status().do()).lastRound).toBe(0n);
  const answer = await fetch(`${world.url}/v2/status`);
  expect([answer.status, await answer.json()]).toEqual([401, { message: "Invalid API Token" }]);
});

it.each<[string, number, string]>([
  ["/v2/accounts/ABC", 400, "failed to parse the address"],
  ["/v2/assets/one", 400, "Invalid format for parameter asset-id"],
  ["/v2/assets/99999999999999999999999", 400, "Invalid format for parameter asset-id"],
  ["/v2/blocks/-1?format=msgpack", 400, "Invalid format for parameter round"],
  ["/v2/blocks/0?format=xml", 400, "failed to parse the format option"],
  ["/v2/transactions/pending/short?format=msgpack", 400, "no valid transaction ID was specified"],
  ["/v2/status/wait-for-block-after/x", 400, "Invalid format for parameter round"],
  ["/v2/nothing", 404, "Not Found"],
])("a request that makes no sense is refused: %s", async (path, status, message) => {
  await using world = await startAlgorandWorld();
  const answer = await fetch(`${world.url}${path}`);
  expect([answer.status, await answer.json()]).toEqual([status, { message }]);
});
