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

const [ALICE, BOB] = [bitcoinTestKey(1), bitcoinTestKey(2)];

let world: BitcoinWorld;
let coin: BitcoinTestCoin;

beforeEach(async () => {
  world = await startBitcoinWorld();
  coin = await world.fund(ALICE.p2tr, 1_000_000);
});

afterEach(() => world[Symbol.asyncDispose]());

const get = async (path: string): Promise<unknown> => (await fetch(`${world.url}${path}`)).json();

const text = async (path: string): Promise<readonly [number, string]> => {
  const answer = await fetch(`${world.url}${path}`);
  return [answer.status, await answer.text()];
};

it("an address has the coins that it was paid and did not spend, confirmed or not", async () => {
  const hash = await world.rpc("getbestblockhash");
  const header = await world.rpc("getblockheader", hash);
  expect(await get(`/address/${ALICE.p2tr}/utxo`)).toEqual([
    {
      txid: coin.txid,
      vout: coin.index,
      status: { confirmed: true, block_height: 1, block_hash: hash, block_time: fieldOf(header, "time") },
      value: 1_000_000,
    },
  ]);
  const txid = await world.rpc("sendrawtransaction", signedPayment(ALICE, [coin], BOB.nested));
  expect(await get(`/address/${ALICE.p2tr}/utxo`)).toEqual([]);
  expect(await get(`/address/${BOB.nested}/utxo`)).toEqual([
    { txid, vout: 0, status: { confirmed: false }, value: 999_000 },
  ]);
});

it("a transaction is shown with its coins and its fee, by its hex, and by its place", async () => {
  const raw = signedPayment(ALICE, [coin], BOB.p2wpkh);
  const txid = await world.rpc("sendrawtransaction", raw);
  expect(await get(`/tx/${txid}`)).toMatchObject({
    txid,
    version: 2,
    locktime: 0,
    weight: 396,
    fee: 1_000,
    vin: [
      {
        txid: coin.txid,
        vout: coin.index,
        is_coinbase: false,
        prevout: { scriptpubkey_type: "v1_p2tr", scriptpubkey_address: ALICE.p2tr, value: 1_000_000 },
        witness: [expect.stringMatching(/^[0-9a-f]{128}$/)],
      },
    ],
    vout: [{ scriptpubkey_type: "v0_p2wpkh", scriptpubkey_address: BOB.p2wpkh, value: 999_000 }],
    status: { confirmed: false },
  });
  expect(await text(`/tx/${txid}/hex`)).toEqual([200, raw]);
  await world.mine();
  expect(await get(`/tx/${txid}/status`)).toMatchObject({ confirmed: true, block_height: 2 });
  await world.admin("reorg", { depth: 1 });
  expect(await get(`/tx/${txid}/status`)).toEqual({ confirmed: false });
});

it("an address's history has what waits first, then what is confirmed, the newest first, in pages", async () => {
  const txids: string[] = [coin.txid];
  let at = coin;
  for (let count = 0; count < 26; count += 1) {
    const raw = signedPayment(ALICE, [at], ALICE.p2tr);
    txids.unshift(String(await world.rpc("sendrawtransaction", raw)));
    if (count < 25) await world.mine();
    at = outputOfPayment(raw);
  }
  const ids = async (path: string): Promise<readonly unknown[]> => {
    const page = await get(path);
    return Array.isArray(page) ? page.map((each) => fieldOf(each, "txid")) : [];
  };
  expect(await ids(`/address/${ALICE.p2tr}/txs`)).toEqual(txids.slice(0, 26));
  expect(await ids(`/address/${ALICE.p2tr}/txs/chain/${txids[25]}`)).toEqual(txids.slice(26));
  expect(await ids(`/address/${BOB.p2tr}/txs`)).toEqual([]);
});

it("a block's reward spends nothing", async () => {
  const block = await world.rpc("getblock", await world.rpc("getbestblockhash"), 1);
  const [reward] = Object.values(Object(fieldOf(block, "tx")));
  expect(await get(`/tx/${reward}`)).toMatchObject({ fee: 0, vin: [{ is_coinbase: true, prevout: null }] });
});

it("the chain's end is shown, and fees in satoshis for a virtual byte", async () => {
  expect(await text("/blocks/tip/height")).toEqual([200, "1"]);
  expect(await text("/blocks/tip/hash")).toEqual([200, await world.rpc("getbestblockhash")]);
  expect(await text("/block-height/1")).toEqual([200, await world.rpc("getbestblockhash")]);
  expect(await get("/fee-estimates")).toMatchObject({ 1: 20, 2: 20, 6: 10, 144: 2, 1008: 2 });
  await world.admin("set-fees", { young: true });
  expect(await get("/fee-estimates")).toEqual({});
});

it("reading asks for no credentials, and a missing entity gets an error", async () => {
  await using guarded = await startBitcoinWorld({ token: "user:secret" });
  expect((await fetch(`${guarded.url}/blocks/tip/height`)).status).toBe(200);
  expect(await text(`/tx/${"ab".repeat(32)}`)).toEqual([404, "Transaction not found"]);
  expect(await text("/tx/short/hex")).toEqual([400, "Invalid hex string"]);
  expect(await text("/address/nobody/utxo")).toEqual([400, "Invalid Bitcoin address"]);
  expect(await text("/block-height/99")).toEqual([404, "Block not found"]);
  expect((await text("/nothing"))[0]).toBe(404);
});
