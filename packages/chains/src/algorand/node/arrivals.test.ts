import { makeAlgodGenesis, type RunningLedger, startAlgorandLedger } from "@conclave/ledgers";
import { commandLedger, HandClock } from "@conclave/ledgers/testing";
import { encode } from "algorand-msgpack";
import algosdk from "algosdk";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import type { Arrival, ChainNode } from "../../chain.ts";
import { ALGORAND_TESTNET } from "../../testing/algorand-samples.ts";
import { nodeAt, ScriptedNode } from "../../testing/scripted-node.ts";
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

it("the rest of a closed account arrives as well", async () => {
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

it("the arrivals of a round that is not there are unknown", async () => {
  expect(await arrivalsAt(1_000_000n)).toBeUndefined();
});

describe("a node's answer about a round", () => {
  let scripted: ScriptedNode;
  let node: ChainNode;
  beforeEach(async () => {
    scripted = new ScriptedNode(nodeAt(ledger.url));
    await scripted.start();
    node = algorandNode({ ...ALGORAND_TESTNET, algodUrl: scripted.url });
  });
  afterEach(() => scripted.stop());

  const ID = "A".repeat(52);
  const BOBS_PAYMENT = { type: "pay", amt: 7, rcv: BOB.addr.publicKey, snd: ALICE.addr.publicKey };
  const nodeAnswers = (text: string | Uint8Array, ids: readonly string[] = [ID], status = 200): void => {
    scripted.spoilt.set("/v2/blocks/9/txids", { status: 200, text: JSON.stringify({ blockTxids: ids }) });
    scripted.spoilt.set("/v2/blocks/9", { status, text });
  };
  const arrivals = async () => node.arrivals?.(9n, async () => new Set([BOBS]));

  it("is read where an application has keys that are no text, or that no JavaScript object can have", async () => {
    const delta = { gd: { K1: { at: 2, ui: 1 }, K2: { at: 2, ui: 2 }, __PROTO__: { at: 2, ui: 3 } } };
    const bytes = Buffer.from(encode({ block: { txns: [{ dt: delta, txn: BOBS_PAYMENT }] } }));
    bytes.set([0xff, 0xff], bytes.indexOf("K1"));
    bytes.set([0xff, 0xfe], bytes.indexOf("K2"));
    bytes.set(Buffer.from("__proto__"), bytes.indexOf("__PROTO__"));
    nodeAnswers(bytes);
    expect(await arrivals()).toMatchObject({
      ok: true,
      value: [{ place: "amount", from: ALICE.addr.toString(), moved: { amount: "7" } }],
    });
  });

  it("K5 the fullest one is read: it has 5 MiB, and in JSON more than is read of any answer", async () => {
    const MOST_BYTES = 5 * 1024 * 1024;
    const each = { sig: new Uint8Array(64).fill(9), txn: { ...BOBS_PAYMENT, note: new Uint8Array(32) } };
    const count = Math.floor(MOST_BYTES / encode(each).length);
    const bytes = encode({ block: { ts: 1, txns: Array(count).fill(each) } });
    expect(bytes.length).toBeGreaterThan(MOST_BYTES - encode(each).length);
    nodeAnswers(
      bytes,
      Array.from({ length: count }, () => ID),
    );
    const found = await arrivals();
    expect(found?.ok === true && found.value?.length).toBe(count);
  });

  it("K5 it is too large where it is longer than any round of the protocol, or its proxy says so", async () => {
    const tooLarge = { ok: false, problem: { code: "BlockTooLarge", details: { height: "9" } } };
    nodeAnswers(new Uint8Array(9 * 1024 * 1024));
    expect(await arrivals()).toMatchObject(tooLarge);
    nodeAnswers("<html>", [ID], 413);
    expect(await arrivals()).toMatchObject(tooLarge);
    nodeAnswers("<html>", [ID], 504);
    expect(await arrivals()).toMatchObject({ ok: false, problem: { code: "ServiceUnavailable" } });
  });

  it("K5 it is not forgotten, nor too large, where the node is in trouble or its answer is cut", async () => {
    const whole = encode({ block: { txns: [{ txn: BOBS_PAYMENT }] } });
    for (const [text, status] of [
      ["", 500],
      ["", 410],
      ["<html>", 404],
      [whole.subarray(0, whole.length - 9), 200],
    ] as const) {
      nodeAnswers(text, [ID], status);
      expect(await arrivals()).toMatchObject({ ok: false, problem: { code: "ServiceUnavailable" } });
    }
    nodeAnswers('{"message":"failed to retrieve information from the ledger"}', [ID], 404);
    expect(await arrivals()).toEqual({ ok: true, value: undefined });
  });
});
