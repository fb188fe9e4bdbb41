import { schnorr } from "@noble/curves/secp256k1.js";
import { bytesToHex, hexToBytes } from "@noble/curves/utils.js";
import { p2pkh, SigHash, Transaction } from "@scure/btc-signer";
import * as bitcoinjs from "bitcoinjs-lib";
import { describe, expect, it } from "vitest";
import vectors from "../../../../../test/vectors/bitcoin.json" with { type: "json" };
import { BITCOIN_KEY, inputOf, samplePsbt, TAPROOT_KEY } from "../../testing/bitcoin-samples.ts";
import { encodePsbt, type Psbt, transactionOf } from "./psbt.ts";
import { segwitDigests, taprootDigests } from "./sighash.ts";
import { decodeUnwitnessed, encodeTransaction, txidOf } from "./transaction.ts";

const hexes = (digests: readonly Uint8Array[]): readonly string[] =>
  digests.map((digest) => bytesToHex(digest));

/** The bytes of a PSBT's transaction, as other libraries read it. */
const bytesOf = (psbt: Psbt): Uint8Array => encodeTransaction(transactionOf(psbt));
const byScure = (psbt: Psbt) => Transaction.fromPSBT(encodePsbt(psbt));
const byBitcoinjs = (psbt: Psbt) => bitcoinjs.Transaction.fromBuffer(bytesOf(psbt));

describe("the digest that a P2WPKH coin's key signs (BIP-143)", () => {
  const psbt = samplePsbt();

  it("is what two other libraries compute", () => {
    const { script } = p2pkh(BITCOIN_KEY.publicKey);
    const scure = psbt.inputs.map(({ coin }, at) =>
      byScure(psbt).preimageWitnessV0(at, script, SigHash.ALL, coin.amount),
    );
    const other = psbt.inputs.map(({ coin }, at) =>
      byBitcoinjs(psbt).hashForWitnessV0(at, script, coin.amount, bitcoinjs.Transaction.SIGHASH_ALL),
    );
    expect(hexes(segwitDigests(psbt))).toEqual(hexes(scure));
    expect(hexes(segwitDigests(psbt))).toEqual(hexes(other));
  });

  it("is what BIP-143 publishes", () => {
    const { unsigned, input, coin, digest } = vectors.bip143;
    const { inputs, ...frame } = decodeUnwitnessed(hexToBytes(unsigned));
    const script = hexToBytes(coin.script);
    const own = inputs.map(({ outpoint, sequence }) => ({
      ...inputOf({ outpoint, amount: BigInt(coin.amount), previous: undefined }),
      coin: { amount: BigInt(coin.amount), script },
      sequence,
    }));
    expect(hexes(segwitDigests({ ...frame, inputs: own }))[input]).toBe(digest);
  });
});

describe("the digest that a Taproot coin's key signs (BIP-341)", () => {
  const psbt = samplePsbt({}, TAPROOT_KEY.address);
  const scripts = psbt.inputs.map(({ coin }) => coin.script);
  const amounts = psbt.inputs.map(({ coin }) => coin.amount);

  it("is what two other libraries compute", () => {
    const scure = psbt.inputs.map((_, at) =>
      byScure(psbt).preimageWitnessV1(at, scripts, SigHash.DEFAULT, amounts),
    );
    const other = psbt.inputs.map((_, at) =>
      byBitcoinjs(psbt).hashForWitnessV1(at, scripts, amounts, bitcoinjs.Transaction.SIGHASH_DEFAULT),
    );
    expect(hexes(taprootDigests(psbt))).toEqual(hexes(scure));
    expect(hexes(taprootDigests(psbt))).toEqual(hexes(other));
  });

  it("is what BIP-341 publishes, and what its signature is of", () => {
    const { unsigned, coins, input, digest, outputKey, signature } = vectors.bip341;
    const { inputs, ...frame } = decodeUnwitnessed(hexToBytes(unsigned));
    const own = inputs.map(({ outpoint, sequence }, at) => ({
      ...inputOf({ outpoint, amount: 0n, previous: undefined }),
      coin: { amount: BigInt(coins[at]?.amount ?? 0), script: hexToBytes(coins[at]?.script ?? "") },
      sequence,
    }));
    const found = taprootDigests({ ...frame, inputs: own })[input] ?? new Uint8Array(0);
    expect(bytesToHex(found)).toBe(digest);
    expect(schnorr.verify(hexToBytes(signature), found, hexToBytes(outputKey))).toBe(true);
  });
});

describe("a transaction's id", () => {
  it("is what two other libraries compute", () => {
    const psbt = samplePsbt();
    expect([byScure(psbt).id, byBitcoinjs(psbt).getId()]).toEqual([
      txidOf(transactionOf(psbt)),
      txidOf(transactionOf(psbt)),
    ]);
  });
});
