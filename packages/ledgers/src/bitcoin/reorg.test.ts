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

const [ALICE, BOB, CAROL] = [bitcoinTestKey(1), bitcoinTestKey(2), bitcoinTestKey(3)];

let world: BitcoinWorld;
let coin: BitcoinTestCoin;

beforeEach(async () => {
  world = await startBitcoinWorld();
  coin = await world.fund(ALICE.p2wpkh, 1_000_000);
});

afterEach(() => world[Symbol.asyncDispose]());

const send = async (raw: string): Promise<string> => String(await world.rpc("sendrawtransaction", raw));

const tip = async (): Promise<string> => String(await world.rpc("getbestblockhash"));

it("a longer branch takes the place of the last blocks, and their transactions wait again", async () => {
  const txid = await send(signedPayment(ALICE, [coin], BOB.p2wpkh));
  await world.mine();
  const undone = await tip();
  expect((await world.admin("reorg", { depth: 1 })).status).toBe(200);
  expect(await world.rpc("getblockcount")).toBe(3);
  expect(await world.rpc("getrawmempool")).toEqual([txid]);
  expect(await world.rpc("getblockheader", undone)).toMatchObject({ confirmations: -1, height: 2 });
  expect(await world.rpc("getrawtransaction", txid, true)).not.toHaveProperty("blockhash");
  expect(await world.rpc("gettxout", coin.txid, coin.index, false)).toMatchObject({ value: 0.01 });
  await world.mine();
  expect(await world.rpc("getrawtransaction", txid, true)).toMatchObject({
    confirmations: 1,
    blockhash: await tip(),
  });
});

it("a chain of transactions returns in its order, and its waiting descendants stay", async () => {
  const first = signedPayment(ALICE, [coin], ALICE.p2wpkh);
  const second = signedPayment(ALICE, [outputOfPayment(first)], BOB.p2wpkh);
  const third = signedPayment(BOB, [outputOfPayment(second)], CAROL.p2wpkh);
  const txids = [await send(first)];
  await world.mine();
  txids.push(await send(second));
  await world.mine();
  txids.push(await send(third));
  await world.admin("reorg", { depth: 2 });
  expect(await world.rpc("getrawmempool")).toEqual(txids);
  expect(await world.rpc("getmempoolentry", txids[2])).toMatchObject({
    ancestorcount: 3,
    fees: { base: 0.00001 },
  });
});

it("an invalidated block is undone with its descendants, and returns when it is reconsidered", async () => {
  const txid = await send(signedPayment(ALICE, [coin], BOB.p2wpkh));
  await world.mine(2);
  const [second, third] = [await world.rpc("getblockhash", 2), await tip()];
  expect(await world.rpc("invalidateblock", second)).toBe(null);
  expect(await world.rpc("getblockcount")).toBe(1);
  expect(await world.rpc("getrawmempool")).toEqual([txid]);
  expect(await world.rpc("reconsiderblock", second)).toBe(null);
  expect([await tip(), await world.rpc("getrawmempool")]).toEqual([third, []]);
});

it("of two branches the one with more work counts, and a shorter one is not followed", async () => {
  await world.mine(2);
  const old = await tip();
  await world.rpc("invalidateblock", await world.rpc("getblockhash", 2));
  await world.mine(3);
  const longer = await tip();
  await world.rpc("reconsiderblock", old);
  expect(await tip()).toBe(longer);
});

it("a transaction whose coin the new branch spends otherwise is gone for good", async () => {
  const lost = signedPayment(ALICE, [coin], BOB.p2wpkh);
  const txid = await send(lost);
  await world.mine();
  const undone = await tip();
  await world.rpc("invalidateblock", undone);
  const foreign = await send(signedPayment(ALICE, [coin], CAROL.p2wpkh, { fee: 5_000 }));
  await world.mine(2);
  expect(await world.rpc("getrawtransaction", foreign, true)).toMatchObject({ confirmations: 2 });
  expect(await world.rpc("getrawmempool")).toEqual([]);
  expect(await world.refusal("sendrawtransaction", lost)).toMatchObject({
    code: -25,
    message: "bad-txns-inputs-missingorspent",
  });
  // a node's index still has the undone block
  expect(await world.rpc("getrawtransaction", txid, true)).toMatchObject({
    blockhash: undone,
    confirmations: 0,
  });
});

it("the spenders of a reward that a reorganisation removes are dropped", async () => {
  const hashes = await world.rpc("generatetoaddress", 101, ALICE.p2wpkh);
  const [first] = Array.isArray(hashes) ? hashes : [];
  const block = await world.rpc("getblock", first, 1);
  const [txid] = Object.values(Object(fieldOf(block, "tx")));
  const reward = { ...coin, txid: String(txid), index: 0, amount: 5_000_000_000n };
  await send(signedPayment(ALICE, [reward], BOB.p2wpkh));
  await world.admin("reorg", { depth: 101 });
  expect(await world.rpc("getrawmempool")).toEqual([]);
  expect(await world.rpc("getblockcount")).toBe(103);
});

it("a payment of a young reward waits no longer if the chain becomes shorter", async () => {
  const hashes = await world.rpc("generatetoaddress", 100, ALICE.p2wpkh);
  const [first] = Array.isArray(hashes) ? hashes : [];
  const [txid] = Object.values(Object(fieldOf(await world.rpc("getblock", first, 1), "tx")));
  await send(
    signedPayment(ALICE, [{ ...coin, txid: String(txid), index: 0, amount: 5_000_000_000n }], BOB.p2wpkh),
  );
  await world.rpc("invalidateblock", await tip());
  expect(await world.rpc("getrawmempool")).toEqual([]);
});

it("the first block cannot be undone or invalidated, and unknown blocks cannot be reconsidered", async () => {
  expect(await world.admin("reorg", { depth: 2 })).toEqual({
    status: 400,
    body: { message: "at most 1 blocks can be undone: the first one stays" },
  });
  expect(await world.refusal("invalidateblock", await world.rpc("getblockhash", 0))).toMatchObject({
    code: -20,
  });
  expect(await world.refusal("reconsiderblock", "ab".repeat(32))).toMatchObject({
    code: -5,
    message: "Block not found",
  });
});
