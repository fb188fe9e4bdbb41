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

const refusal = async (raw: string): Promise<string> => {
  const { code, message } = await world.refusal("sendrawtransaction", raw);
  return `${code}: ${message}`;
};

const paying = (fee: number, coins = [coin], sequence = 0xfffffffd): string =>
  signedPayment(ALICE, coins, BOB.p2wpkh, { fee, sequence });

describe("of two that spend the same coin", () => {
  it("the second takes the first one's place, if it pays more and for its own size", async () => {
    const first = await send(paying(1_000));
    const second = await send(paying(1_110));
    expect(await world.rpc("getrawmempool")).toEqual([second]);
    await world.mine();
    expect(await world.rpc("getrawtransaction", second, true)).toMatchObject({ confirmations: 1 });
    expect(await world.refusal("getrawtransaction", first)).toMatchObject({ status: 500, code: -5 });
  });

  it("the second does so too if the first signals nothing", async () => {
    await send(paying(1_000, [coin], 0xffffffff));
    const second = await send(paying(2_000, [coin], 0xffffffff));
    expect(await world.rpc("getrawmempool")).toEqual([second]);
  });

  it("the second is refused if it pays no higher rate", async () => {
    await send(paying(1_100));
    const again = signedPayment(ALICE, [coin], CAROL.p2wpkh, { fee: 1_100 });
    expect(await refusal(again)).toMatch(
      /^-26: insufficient fee, rejecting replacement [0-9a-f]{64}; new feerate 0.00010000 BTC\/kvB <= old feerate 0.00010000 BTC\/kvB$/,
    );
  });

  it("the second is refused if it does not pay for its own size besides", async () => {
    await send(paying(1_000));
    expect(await refusal(paying(1_109))).toMatch(
      /^-26: insufficient fee, .*, not enough additional fees to relay; 0.00000109 < 0.0000011$/,
    );
  });

  it("the second is refused if the first's descendants pay more than it", async () => {
    const first = paying(1_000);
    await send(first);
    await send(signedPayment(BOB, [outputOfPayment(first)], CAROL.p2wpkh, { fee: 20_000 }));
    expect(await refusal(paying(5_000))).toMatch(
      /^-26: insufficient fee, .*, less fees than conflicting txs; 0.00005 < 0.00021$/,
    );
    const third = await send(paying(21_200));
    expect(await world.rpc("getrawmempool")).toEqual([third]);
  });

  it("the second is refused if it brings an unconfirmed coin that the first did not spend", async () => {
    const other = await world.fund(ALICE.p2wpkh, 500_000);
    await send(paying(1_000));
    const waiting = signedPayment(ALICE, [other], ALICE.p2wpkh);
    await send(waiting);
    const raw = paying(50_000, [coin, outputOfPayment(waiting)]);
    expect(await refusal(raw)).toMatch(
      /^-26: replacement-adds-unconfirmed, replacement [0-9a-f]{64} adds unconfirmed input, idx 1$/,
    );
  });

  it("the second is refused if it spends the first, too", async () => {
    const first = signedPayment(ALICE, [coin], ALICE.p2wpkh);
    const txid = await send(first);
    expect(await refusal(paying(50_000, [coin, outputOfPayment(first)]))).toMatch(
      new RegExp(
        `^-26: bad-txns-spends-conflicting-tx, [0-9a-f]{64} spends conflicting transaction ${txid}$`,
      ),
    );
  });
});

it("an operator's lower rate for replacements applies", async () => {
  await world.admin("set-fees", { incrementalRelay: 0 });
  await send(paying(1_000));
  const second = await send(paying(1_010));
  expect(await world.rpc("getrawmempool")).toEqual([second]);
});
