import { afterEach, beforeEach, describe, expect, it } from "vitest";
import {
  type BitcoinTestCoin,
  type BitcoinWorld,
  bitcoinTestKey,
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

/** Sends a chain of payments of Alice to herself, each of which spends the previous one. @returns their hex */
const line = async (length: number, fee = 1_000): Promise<readonly string[]> => {
  const sent: string[] = [];
  let at = coin;
  for (let count = 0; count < length; count += 1) {
    const raw = signedPayment(ALICE, [at], ALICE.p2wpkh, { fee });
    await send(raw);
    sent.push(raw);
    at = outputOfPayment(raw);
  }
  return sent;
};

describe("a chain of unconfirmed transactions", () => {
  it("has at most twenty-five, until a block takes them", async () => {
    const sent = await line(25);
    const next = signedPayment(ALICE, [outputOfPayment(sent.at(-1) ?? "")], BOB.p2wpkh);
    const [first = ""] = sent;
    expect(await world.refusal("sendrawtransaction", next)).toEqual({
      status: 500,
      code: -26,
      message: `too-long-mempool-chain, too many descendants for tx ${outputOfPayment(first).txid} [limit: 25]`,
    });
    await world.mine();
    await send(next);
  });

  it("is shown by each of its transactions", async () => {
    const [one = "", two = "", three = ""] = (await line(3)).map((raw) => outputOfPayment(raw).txid);
    expect(await world.rpc("getmempoolentry", two)).toMatchObject({
      vsize: 110,
      height: 1,
      ancestorcount: 2,
      ancestorsize: 220,
      descendantcount: 2,
      depends: [one],
      spentby: [three],
      fees: { base: 0.00001, ancestor: 0.00002, descendant: 0.00002 },
      "bip125-replaceable": true,
    });
    expect(Object.keys(Object(await world.rpc("getrawmempool", true)))).toEqual([one, two, three]);
    expect(await world.rpc("getmempoolinfo")).toMatchObject({ size: 3, bytes: 330, total_fee: 0.00003 });
  });

  it("is dropped as a whole with its first transaction", async () => {
    const [first = ""] = await line(3);
    await world.admin("drop", { id: outputOfPayment(first).txid });
    expect(await world.rpc("getrawmempool")).toEqual([]);
  });
});

it("a waiting transaction can be spent and looked up, and the coins that it spends cannot be spent again", async () => {
  const raw = signedPayment(ALICE, [coin], BOB.p2wpkh);
  const txid = await send(raw);
  expect(await world.rpc("gettxout", txid, 0)).toMatchObject({ confirmations: 0, value: 0.00999 });
  expect(await world.rpc("gettxout", txid, 0, false)).toBe(null);
  expect(await world.rpc("gettxout", coin.txid, coin.index)).toBe(null);
  expect(await world.rpc("gettxout", coin.txid, coin.index, false)).toMatchObject({ confirmations: 1 });
  expect(
    await world.rpc("gettxspendingprevout", [
      { txid: coin.txid, vout: coin.index },
      { txid, vout: 0 },
    ]),
  ).toEqual([
    { txid: coin.txid, vout: coin.index, spendingtxid: txid },
    { txid, vout: 0 },
  ]);
  expect(await world.rpc("getrawtransaction", txid)).toBe(raw);
  expect(await world.rpc("getrawtransaction", txid, true)).not.toHaveProperty("blockhash");
});

it("transactions are tested on top of one another without entering the mempool", async () => {
  const parent = signedPayment(ALICE, [coin], BOB.p2wpkh);
  const child = signedPayment(BOB, [outputOfPayment(parent)], CAROL.p2wpkh);
  expect(await world.rpc("testmempoolaccept", [parent, child])).toMatchObject([
    { allowed: true, vsize: 110, fees: { base: 0.00001, "effective-feerate": 0.0000909 } },
    { allowed: true },
  ]);
  expect(await world.rpc("testmempoolaccept", [child, parent])).toMatchObject([
    { allowed: false, "reject-reason": "missing-inputs" },
    { txid: outputOfPayment(parent).txid },
  ]);
  expect(await world.rpc("getrawmempool")).toEqual([]);
});

describe("miners", () => {
  it("leave transactions that are too cheap, until a child pays for them", async () => {
    await world.admin("set-fees", { minimumMined: 10_000 });
    const parent = signedPayment(ALICE, [coin], BOB.p2wpkh, { fee: 200 });
    const parentId = await send(parent);
    await world.mine();
    expect(await world.rpc("getrawmempool")).toEqual([parentId]);
    await send(signedPayment(BOB, [outputOfPayment(parent)], CAROL.p2wpkh, { fee: 2_100 }));
    await world.mine();
    expect(await world.rpc("getrawmempool")).toEqual([]);
  });

  it("take the fees with the reward", async () => {
    await send(signedPayment(ALICE, [coin], BOB.p2wpkh, { fee: 12_345 }));
    await world.rpc("generatetoaddress", 1, CAROL.p2wpkh);
    expect(await world.rpc("scantxoutset", "start", [`addr(${CAROL.p2wpkh})`])).toMatchObject({
      total_amount: 50.00012345,
      unspents: [{ coinbase: true, height: 2, confirmations: 1 }],
    });
  });
});

it("locks of height, of time and of age open when the chain has come so far", async () => {
  const byHeight = signedPayment(ALICE, [coin], ALICE.p2wpkh, { lockTime: 2 });
  expect(await world.refusal("sendrawtransaction", byHeight)).toMatchObject({ message: "non-final" });
  await world.mine();
  await send(byHeight);
  const byAge = signedPayment(ALICE, [outputOfPayment(byHeight)], ALICE.p2wpkh, { sequence: 2 });
  expect(await world.refusal("sendrawtransaction", byAge)).toMatchObject({ message: "non-BIP68-final" });
  await world.mine();
  expect(await world.refusal("sendrawtransaction", byAge)).toMatchObject({ message: "non-BIP68-final" });
  await world.mine();
  await send(byAge);
  await world.mine(11);
  const now = Math.floor(world.clock.now() / 1_000);
  const byTime = signedPayment(ALICE, [outputOfPayment(byAge)], ALICE.p2wpkh, { lockTime: now + 600 });
  expect(await world.refusal("sendrawtransaction", byTime)).toMatchObject({ message: "non-final" });
  world.clock.pass(601_000);
  await world.mine(6);
  await send(byTime);
});
