import { afterEach, beforeEach, expect, it } from "vitest";
import { z } from "zod";
import { startTronWorld, type TronWorld, tronTestAddress, tronTestKey } from "../testing/tron-world.ts";

const [ALICE, BOB] = [tronTestKey(1), tronTestKey(2)];
const TRX = 1_000_000;

const blockSchema = z.object({
  blockID: z.string(),
  block_header: z.object({
    raw_data: z.object({
      number: z.number().default(0),
      parentHash: z.string(),
      txTrieRoot: z.string(),
      timestamp: z.number().default(0),
    }),
    witness_signature: z.string().length(130),
  }),
  transactions: z.array(z.object({ txID: z.string() })).default([]),
});
const blocksSchema = z.object({ block: z.array(blockSchema) });
const asShownSchema = z.object({ block: z.array(z.unknown()) });

let world: TronWorld;
beforeEach(async () => {
  world = await startTronWorld();
  await world.fund(ALICE, 1_000 * TRX);
  for (const amount of [1, 2, 3]) {
    const { transactionBuilder } = world.client;
    const payment = await transactionBuilder.sendTrx(tronTestAddress(BOB), amount, tronTestAddress(ALICE));
    await world.send(payment, ALICE);
  }
  await world.mine(2);
});
afterEach(() => world[Symbol.asyncDispose]());

it("blocks follow one another: each names its number in its id, and its parent", async () => {
  const answer = await world.ask("wallet/getblockbylimitnext", { startNum: 0, endNum: 10 });
  const { block: blocks } = blocksSchema.parse(answer);
  expect(blocks.map(({ block_header }) => block_header.raw_data.number)).toEqual([0, 1, 2, 3]);
  for (const [at, { blockID, block_header }] of blocks.entries()) {
    expect(Number.parseInt(blockID.slice(0, 16), 16)).toBe(at);
    if (at > 0) expect(block_header.raw_data.parentHash).toBe(blocks[at - 1]?.blockID);
  }
  expect(blocks.map(({ transactions }) => transactions.length)).toEqual([0, 1, 3, 0]);
  expect(blocks[3]?.block_header.raw_data.txTrieRoot).toBe("0".repeat(64));
});

it("a block is found by number, by id, as the latest, with its transactions or without, by POST and by GET", async () => {
  const byNumber = await world.ask("wallet/getblockbynum", { num: 2 });
  const { blockID } = blockSchema.parse(byNumber);
  expect(await world.ask("wallet/getblockbyid", { value: blockID })).toEqual(byNumber);
  expect(await world.ask("wallet/getblock", { id_or_num: "2", detail: true })).toEqual(byNumber);
  expect(await world.ask("wallet/getblock", { id_or_num: blockID, detail: false })).not.toHaveProperty(
    "transactions",
  );
  expect(await (await fetch(`${world.url}/wallet/getblockbynum?num=2`)).json()).toEqual(byNumber);
  const latest = await world.ask("wallet/getblockbylatestnum", { num: 2 });
  expect(blocksSchema.parse(latest).block.map(({ block_header }) => block_header.raw_data.number)).toEqual([
    2, 3,
  ]);
  expect(await world.ask("wallet/getnowblock")).toEqual(asShownSchema.parse(latest).block[1]);
  expect(await world.ask("wallet/getblockbynum", { num: 9 })).toEqual({});
  expect(await world.ask("wallet/getblockbyid", { value: "00".repeat(32) })).toEqual({});
});

it("the solidity node shows no block, transaction or money that is not solid", async () => {
  const solid = (path: string, input: object) => world.ask(`walletsolidity/${path}`, input);
  expect(await solid("getnowblock", {})).toEqual(await world.ask("wallet/getblockbynum", { num: 0 }));
  expect(await solid("getblockbynum", { num: 1 })).toEqual({});
  const address = { address: tronTestAddress(BOB), visible: true };
  expect(await solid("getaccount", address)).toEqual({});
  expect(await world.ask("wallet/getaccount", address)).toMatchObject({ balance: 6 });
  await world.mine(2);
  const infos: unknown = await (
    await fetch(`${world.url}/walletsolidity/gettransactioninfobyblocknum?num=2`)
  ).json();
  expect(infos).toHaveLength(3);
  expect(await solid("getaccount", address)).toMatchObject({ balance: 6 });
  await world.mine();
  expect(await solid("getnowblock", {})).toEqual(await world.ask("wallet/getblockbynum", { num: 3 }));
});
