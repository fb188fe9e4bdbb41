import type { SchemeSignature } from "@conclave/custody";
import { secp256k1 } from "@noble/curves/secp256k1.js";
import { bytesToHex } from "@noble/curves/utils.js";
import { Transaction } from "@scure/btc-signer";
import * as bitcoinjs from "bitcoinjs-lib";
import { describe, expect, it } from "vitest";
import { testAccount } from "../testing/account.ts";
import { BITCOIN_KEY, samplePsbt, TAPROOT_KEY, testTaprootKey } from "../testing/bitcoin-samples.ts";
import { attachBitcoinSignatures, signedPsbt } from "./attach.ts";
import { encodePsbt, transactionOf } from "./wire/psbt.ts";
import { segwitDigests, taprootDigests } from "./wire/sighash.ts";
import { txidOf } from "./wire/transaction.ts";

const psbt = samplePsbt();
const unsigned = encodePsbt(psbt);
const signatures = segwitDigests(psbt).map((digest) => BITCOIN_KEY.sign(digest));
const taproot = samplePsbt({}, TAPROOT_KEY.address);
const taprootSignatures = taprootDigests(taproot).map((digest) => TAPROOT_KEY.sign(digest));

describe("a signed transaction of a P2WPKH wallet", () => {
  const attached = attachBitcoinSignatures(unsigned, signatures, [BITCOIN_KEY.publicKey]);

  it("is one that two other libraries read, with valid signatures of the key", () => {
    if (!attached.ok) expect.fail(attached.problem.message);
    const { signed, txHash } = attached.value;
    const other = bitcoinjs.Transaction.fromBuffer(signed);
    expect([Transaction.fromRaw(signed).id, other.getId()]).toEqual([txHash, txHash]);
    for (const [at, { witness }] of other.ins.entries()) {
      const [signature = new Uint8Array(0), key = new Uint8Array(0)] = witness;
      const { signature: compact, hashType } = bitcoinjs.script.signature.decode(signature);
      const digest = segwitDigests(psbt)[at] ?? new Uint8Array(0);
      expect([bytesToHex(key), hashType]).toEqual([bytesToHex(BITCOIN_KEY.publicKey), 1]);
      expect(secp256k1.verify(compact, digest, key, { prehash: false, lowS: true })).toBe(true);
    }
  });

  it("has an id that depends on the unsigned transaction alone", () => {
    expect(attached.ok && attached.value.txHash).toBe(txidOf(transactionOf(psbt)));
  });
});

describe("a signed transaction of a Taproot wallet", () => {
  it("holds each signature and nothing else as its witness", () => {
    const attached = attachBitcoinSignatures(encodePsbt(taproot), taprootSignatures, [TAPROOT_KEY.publicKey]);
    if (!attached.ok) expect.fail(attached.problem.message);
    const { ins } = bitcoinjs.Transaction.fromBuffer(attached.value.signed);
    expect(ins.map(({ witness }) => witness.map((item) => item.length))).toEqual([[64], [64]]);
    expect(Transaction.fromRaw(attached.value.signed).id).toBe(attached.value.txHash);
  });
});

describe("a PSBT with its signatures", () => {
  it.each([
    ["a P2WPKH wallet", unsigned, signatures, BITCOIN_KEY.publicKey],
    ["a Taproot wallet", encodePsbt(taproot), taprootSignatures, TAPROOT_KEY.publicKey],
  ])("of %s is made by another library into the very transaction", (_, bytes, made, key) => {
    const attached = attachBitcoinSignatures(bytes, made, [key]);
    const alone = signedPsbt(bytes, made, [key]);
    if (!attached.ok || !alone.ok) expect.fail("both are signed");
    const scure = Transaction.fromPSBT(alone.value);
    scure.finalize();
    expect(bytesToHex(scure.extract())).toBe(bytesToHex(attached.value.signed));
    expect(signedPsbt(bytes, made.toReversed(), [key]).ok).toBe(false);
  });

  it("of a P2WPKH wallet is finalized alike by a third library", () => {
    const alone = signedPsbt(unsigned, signatures, [BITCOIN_KEY.publicKey]);
    const attached = attachBitcoinSignatures(unsigned, signatures, [BITCOIN_KEY.publicKey]);
    if (!attached.ok || !alone.ok) expect.fail("both are signed");
    const other = bitcoinjs.Psbt.fromHex(bytesToHex(alone.value)).finalizeAllInputs();
    expect(other.extractTransaction(true).toHex()).toBe(bytesToHex(attached.value.signed));
  });
});

describe("signatures that are not attached", () => {
  const n = secp256k1.Point.Fn.ORDER;
  const other = testAccount("0e".repeat(32));
  const highS = signatures.map((each) => ({ ...each, s: n - each.s }));
  const swapped = signatures.toReversed();
  const ofOther = segwitDigests(psbt).map((digest) => other.sign(digest));
  it.each<readonly [string, Uint8Array, readonly SchemeSignature[], readonly Uint8Array[]]>([
    ["of another key", unsigned, ofOther, [BITCOIN_KEY.publicKey]],
    ["for another key", unsigned, ofOther, [other.publicKey]],
    ["in the upper half", unsigned, highS, [BITCOIN_KEY.publicKey]],
    ["in another order", unsigned, swapped, [BITCOIN_KEY.publicKey]],
    ["too few", unsigned, signatures.slice(1), [BITCOIN_KEY.publicKey]],
    ["too many", unsigned, [...signatures, ...signatures], [BITCOIN_KEY.publicKey]],
    ["of two keys", unsigned, signatures, [BITCOIN_KEY.publicKey, other.publicKey]],
    ["of no key", unsigned, signatures, []],
    ["of zeros", unsigned, signatures.map((each) => ({ ...each, r: 0n })), [BITCOIN_KEY.publicKey]],
    ["of Taproot", unsigned, taprootSignatures, [BITCOIN_KEY.publicKey]],
    ["of ECDSA", encodePsbt(taproot), signatures, [TAPROOT_KEY.publicKey]],
    [
      "of another Taproot key",
      encodePsbt(taproot),
      taprootSignatures,
      [testTaprootKey("0e".repeat(32)).publicKey],
    ],
    [
      "of a Taproot key under another message",
      encodePsbt(taproot),
      taprootSignatures.toReversed(),
      [TAPROOT_KEY.publicKey],
    ],
    [
      "of Taproot, untweaked",
      encodePsbt(taproot),
      taprootSignatures.map((each) => ({ ...each, scheme: "FROST-BIP340" }) as SchemeSignature),
      [TAPROOT_KEY.publicKey],
    ],
    ["to what is no PSBT", Uint8Array.of(1), signatures, [BITCOIN_KEY.publicKey]],
  ])("are %s", (_, bytes, made, keys) => {
    expect(attachBitcoinSignatures(bytes, made, keys).ok).toBe(false);
  });
});
