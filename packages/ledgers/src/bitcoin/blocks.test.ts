import { hexToBytes } from "@noble/hashes/utils.js";
import { Block } from "bitcoinjs-lib";
import { afterEach, beforeEach, expect, it } from "vitest";
import {
  type BitcoinWorld,
  bitcoinTestKey,
  fieldOf,
  signedPayment,
  startBitcoinWorld,
} from "../testing/bitcoin-world.ts";

const [ALICE, BOB] = [bitcoinTestKey(1), bitcoinTestKey(2)];

let world: BitcoinWorld;

beforeEach(async () => {
  world = await startBitcoinWorld();
});

afterEach(() => world[Symbol.asyncDispose]());

it("another library accepts a block: header, work, merkle root, witness commitment, height", async () => {
  const coin = await world.fund(ALICE.p2wpkh, 100_000);
  await world.rpc("sendrawtransaction", signedPayment(ALICE, [coin], BOB.p2tr));
  await world.mine();
  const hash = String(await world.rpc("getbestblockhash"));
  const block = Block.fromHex(String(await world.rpc("getblock", hash, 0)));
  expect([block.getId(), block.checkProofOfWork(), block.checkTxRoots()]).toEqual([hash, true, true]);
  expect(block.transactions?.[0]?.ins[0]?.script.subarray(0, 1)).toEqual(Uint8Array.of(0x52));
  expect(
    Buffer.from(block.prevHash ?? [])
      .reverse()
      .toString("hex"),
  ).toBe(await world.rpc("getblockhash", 1));
});

it("a block is shown by its ids, by whole transactions, and by its header alone", async () => {
  await world.mine(2);
  const hash = await world.rpc("getblockhash", 1);
  const next = await world.rpc("getblockhash", 2);
  const block = await world.rpc("getblock", hash);
  expect(block).toMatchObject({ hash, height: 1, confirmations: 2, nTx: 1, nextblockhash: next });
  const reward = fieldOf(block, "tx");
  if (!Array.isArray(reward)) throw new Error("a block has transactions");
  expect(await world.rpc("getblock", hash, 2)).toMatchObject({
    tx: [{ txid: reward[0], vin: [{ coinbase: expect.any(String) }], vout: [{ value: 50 }, { value: 0 }] }],
  });
  const header = String(await world.rpc("getblockheader", hash, false));
  expect(hexToBytes(header)).toHaveLength(80);
  expect(await world.rpc("getblockheader", hash)).toMatchObject({ hash, height: 1, versionHex: "20000000" });
});

it("equal seeds and events give equal chains, and another seed another first block", async () => {
  await using other = await startBitcoinWorld();
  for (const each of [world, other]) {
    await each.fund(ALICE.p2wpkh, 100_000);
    await each.mine(3);
  }
  expect(await world.rpc("getbestblockhash")).toBe(await other.rpc("getbestblockhash"));
});

it("getblockchaininfo and getblockcount show the end of the chain", async () => {
  await world.mine(5);
  expect(await world.rpc("getblockchaininfo")).toMatchObject({
    chain: "regtest",
    blocks: 5,
    headers: 5,
    bestblockhash: await world.rpc("getblockhash", 5),
    initialblockdownload: false,
  });
  expect(await world.rpc("getblockcount")).toBe(5);
});
