import { makeAlgodGenesis, type RunningLedger, startAlgorandLedger } from "@conclave/ledgers";
import { commandLedger, HandClock } from "@conclave/ledgers/testing";
import algosdk from "algosdk";
import { afterAll, beforeAll, expect, it } from "vitest";
import type { Arrival, ChainNode } from "../../chain.ts";
import { ALGORAND_TESTNET, StubAlgod } from "../../testing/index.ts";
import { algorandNode } from "./node.ts";

const [CHAIN, SEED] = ["conclave-v1", "tests"];
const [ALICE, BOB] = [algosdk.generateAccount(), algosdk.generateAccount()];
const BOBS = BOB.addr.toString();

let ledger: RunningLedger;
let client: algosdk.Algodv2;
let chain: ChainNode;

beforeAll(async () => {
  ledger = await startAlgorandLedger({
    clock: new HandClock(1_795_132_800_000),
    chain: CHAIN,
    seed: SEED,
    blockMs: 0,
    listen: { host: "127.0.0.1", port: 0 },
    adminPort: 0,
    token: undefined,
  });
  client = new algosdk.Algodv2("", ledger.url, new URL(ledger.url).port);
  const { hash } = makeAlgodGenesis(CHAIN, SEED);
  chain = algorandNode({
    ...ALGORAND_TESTNET,
    genesisId: CHAIN,
    genesisHash: Buffer.from(hash).toString("base64"),
    algodUrl: ledger.url,
  });
  for (const { addr } of [ALICE, BOB]) await admin("fund", { address: addr.toString(), amount: 10_000_000 });
  await admin("mine");
});
afterAll(() => ledger.stop());

const admin = (action: string, input: object = {}) => commandLedger(ledger, action, input);

/** Sends a transaction, and makes a block of it. @returns its id and its round */
const land = async (signed: Uint8Array) => {
  const { txid } = await client.sendRawTransaction(signed).do();
  await admin("mine");
  const { lastRound } = await client.status().do();
  return { txid, height: lastRound };
};

const suggested = async () => ({ suggestedParams: await client.getTransactionParams().do() });

const pay = async (amount: number, closeRemainderTo?: algosdk.Address) =>
  algosdk
    .makePaymentTxnWithSuggestedParamsFromObject({
      sender: ALICE.addr,
      receiver: BOB.addr,
      amount,
      ...(closeRemainderTo === undefined ? {} : { closeRemainderTo }),
      ...(await suggested()),
    })
    .signTxn(ALICE.sk);

const arrivalsAt = async (height: bigint, ours = BOBS): Promise<readonly Arrival[] | undefined> => {
  const found = await chain.arrivals?.(
    height,
    async (asked) => new Set(asked.filter((address) => address === ours)),
  );
  if (found?.ok !== true) throw new Error("the node does not tell");
  return found.value;
};

it("a payment arrives, at a wallet of ours alone; one of nothing does not", async () => {
  const { txid, height } = await land(await pay(250_000));
  expect(await arrivalsAt(height)).toMatchObject([
    {
      txHash: txid,
      place: "amount",
      from: ALICE.addr.toString(),
      moved: { kind: "Native", to: BOBS, amount: "250000" },
    },
  ]);
  expect(await arrivalsAt(height, ALICE.addr.toString())).toEqual([]);
  const { height: empty } = await land(await pay(0));
  expect(await arrivalsAt(empty)).toEqual([]);
});

it("an asset arrives; an opt-in does not", async () => {
  const creation = algosdk.makeAssetCreateTxnWithSuggestedParamsFromObject({
    sender: ALICE.addr,
    total: 1_000,
    decimals: 0,
    defaultFrozen: false,
    ...(await suggested()),
  });
  const { txid } = await land(creation.signTxn(ALICE.sk));
  const { assetIndex = 0n } = await client.pendingTransactionInformation(txid).do();
  const transfer = async (from: algosdk.Account, amount: number) =>
    algosdk
      .makeAssetTransferTxnWithSuggestedParamsFromObject({
        sender: from.addr,
        receiver: BOB.addr,
        assetIndex,
        amount,
        ...(await suggested()),
      })
      .signTxn(from.sk);
  const optIn = await land(await transfer(BOB, 0));
  expect(await arrivalsAt(optIn.height)).toEqual([]);
  const { height } = await land(await transfer(ALICE, 7));
  expect(await arrivalsAt(height)).toMatchObject([
    { place: "asset", moved: { kind: "Asa", assetId: String(assetIndex), to: BOBS, amount: "7" } },
  ]);
});

it("what is left when an account is closed arrives as well", async () => {
  const account = algosdk.generateAccount();
  await admin("fund", { address: account.addr.toString(), amount: 1_000_000 });
  await admin("mine");
  const closing = algosdk.makePaymentTxnWithSuggestedParamsFromObject({
    sender: account.addr,
    receiver: ALICE.addr,
    amount: 200_000,
    closeRemainderTo: BOB.addr,
    ...(await suggested()),
  });
  const { height } = await land(closing.signTxn(account.sk));
  expect(await arrivalsAt(height)).toMatchObject([
    { place: "rest", moved: { kind: "Native", to: BOBS, amount: "799000" } },
  ]);
});

it("a round that is not there brings nothing that is known", async () => {
  expect(await arrivalsAt(1_000_000n)).toBeUndefined();
});

it("a round is read in which an application has two keys that a node writes alike", async () => {
  const stub = await StubAlgod.start();
  try {
    const names = "\uFFFD\uFFFD";
    const txn = { snd: ALICE.addr.toString(), rcv: BOBS, amt: 7 };
    const delta = `{"gd":{"${names}":{"at":2,"ui":1},"${names}":{"at":2,"ui":2}}}`;
    stub.spoilt.set("/v2/blocks/9/txids", {
      status: 200,
      text: JSON.stringify({ blockTxids: ["A".repeat(52)] }),
    });
    stub.spoilt.set("/v2/blocks/9", {
      status: 200,
      text: `{"block":{"txns":[{"dt":${delta},"txn":${JSON.stringify(txn)}}]}}`,
    });
    const node = algorandNode({ ...ALGORAND_TESTNET, algodUrl: stub.url });
    expect(await node.arrivals?.(9n, async () => new Set([BOBS]))).toMatchObject({
      ok: true,
      value: [{ place: "amount", moved: { amount: "7" } }],
    });
  } finally {
    await stub.stop();
  }
});
