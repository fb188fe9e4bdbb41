import { secp256k1 } from "@noble/curves/secp256k1.js";
import * as btc from "@scure/btc-signer";
import { networks, Psbt } from "bitcoinjs-lib";
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

/** satoshis in the confirmed outputs of an address */
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

/** A signer in the form that bitcoinjs-lib requires. */
const signerOf = ({ publicKey, secretKey }: BitcoinTestKey) => ({
  publicKey,
  sign: (digest: Uint8Array) => secp256k1.sign(digest, secretKey, { prehash: false, lowS: true }),
});

it("another library's transaction of many inputs of two keys and kinds, with change and data, is taken too", async () => {
  const segwit = await world.fund(ALICE.p2wpkh, 100_000);
  const nested = await world.fund(BOB.nested, 200_000);
  const legacy = await world.fund(ALICE.p2pkh, 300_000);
  const psbt = new Psbt({ network: networks.regtest })
    .addInput({
      hash: segwit.txid,
      index: segwit.index,
      witnessUtxo: { value: segwit.amount, script: segwit.script },
    })
    .addInput({
      hash: nested.txid,
      index: nested.index,
      witnessUtxo: { value: nested.amount, script: nested.script },
      redeemScript: btc.p2wpkh(BOB.publicKey).script,
    })
    .addInput({
      hash: legacy.txid,
      index: legacy.index,
      nonWitnessUtxo: Buffer.from(String(await world.rpc("getrawtransaction", legacy.txid)), "hex"),
    })
    .addOutput({ address: BOB.p2wpkh, value: 450_000n })
    .addOutput({ address: ALICE.p2pkh, value: 148_000n })
    .addOutput({ script: Buffer.from("6a04deadbeef", "hex"), value: 0n });
  psbt.signInput(0, signerOf(ALICE)).signInput(1, signerOf(BOB)).signInput(2, signerOf(ALICE));
  const transaction = psbt.finalizeAllInputs().extractTransaction();
  const txid = await world.rpc("sendrawtransaction", transaction.toHex());
  expect(txid).toBe(transaction.getId());
  expect(await world.rpc("getmempoolentry", txid)).toMatchObject({
    vsize: transaction.virtualSize(),
    weight: transaction.weight(),
    fees: { base: 0.00002 },
  });
  await world.mine();
  expect([await balance(BOB.p2wpkh), await balance(ALICE.p2pkh)]).toEqual([450_000, 148_000]);
  const block = await world.rpc("getblock", await world.rpc("getbestblockhash"), 3);
  expect(block).toMatchObject({
    tx: [{}, { txid, fee: 0.00002, vin: [{ prevout: { value: 0.001 } }, { prevout: { value: 0.002 } }, {}] }],
  });
  expect(await world.rpc("getrawtransaction", txid, 2)).toMatchObject({
    fee: 0.00002,
    vin: [{ prevout: { generated: false, height: 1, scriptPubKey: { address: ALICE.p2wpkh } } }, {}, {}],
  });
});
