import * as btc from "@scure/btc-signer";
import { afterEach, beforeEach, expect, it } from "vitest";
import {
  type BitcoinTestKey,
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

/** satoshis that the coins of an address hold in the chain */
const balance = async (address: string): Promise<number> => {
  const scan = await world.rpc("scantxoutset", "start", [`addr(${address})`]);
  return Math.round(Number(fieldOf(scan, "total_amount")) * 100_000_000);
};

it.each<[string, (key: BitcoinTestKey) => string]>([
  ["P2WPKH", ({ p2wpkh }) => p2wpkh],
  ["P2PKH", ({ p2pkh }) => p2pkh],
  ["P2SH-P2WPKH", ({ nested }) => nested],
  ["P2TR key path", ({ p2tr }) => p2tr],
])("a %s coin is spent with one signature, waits, and is confirmed by a block", async (_, addressOf) => {
  const coin = await world.fund(addressOf(ALICE), 100_000);
  const hex = signedPayment(ALICE, [coin], BOB.p2wpkh);
  const txid = await world.rpc("sendrawtransaction", hex);
  expect(txid).toBe(btc.Transaction.fromRaw(Buffer.from(hex, "hex"), { allowUnknownOutputs: true }).id);
  expect(await world.rpc("getrawmempool")).toEqual([txid]);
  expect(await balance(BOB.p2wpkh)).toBe(0);
  await world.mine();
  expect(await balance(BOB.p2wpkh)).toBe(99_000);
  expect(await world.rpc("getrawtransaction", txid, true)).toMatchObject({ hex, confirmations: 1 });
});
