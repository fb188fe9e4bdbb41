import { bytesToHex, concatBytes, hexToBytes } from "@noble/curves/utils.js";
import { Transaction } from "@scure/btc-signer";
import * as bitcoinjs from "bitcoinjs-lib";
import { describe, expect, it } from "vitest";
import vectors from "../../../../../test/vectors/bitcoin.json" with { type: "json" };
import {
  BITCOIN_RECIPIENT,
  BITCOIN_SENDER,
  coinsOf,
  fundingOf,
  inputOf,
  outputTo,
  paidTo,
  samplePsbt,
  TAPROOT_KEY,
} from "../../testing/bitcoin-samples.ts";
import { compactSize, lengthAndBytes } from "./bytes.ts";
import { decodePsbt, encodePsbt, feeOfPsbt, type Psbt, transactionOf } from "./psbt.ts";
import { decodeTransaction, encodeTransaction, encodeWitnessed, txidOf } from "./transaction.ts";

const whyOf = (bytes: Uint8Array): string => {
  const decoded = decodePsbt(bytes);
  return decoded.ok ? "read" : decoded.problem.message;
};
const whyOfChanged = (change: Partial<Psbt>): string => whyOf(encodePsbt(samplePsbt(change)));

/** A PSBT written by hand: maps of keys and values in hex. */
const byHand = (...maps: readonly (readonly (readonly [string, Uint8Array])[])[]): Uint8Array =>
  concatBytes(
    hexToBytes("70736274ff"),
    ...maps.flatMap((map) => [
      ...map.flatMap(([key, value]) => [lengthAndBytes(hexToBytes(key)), lengthAndBytes(value)]),
      Uint8Array.of(0),
    ]),
  );
const psbt = samplePsbt({ inputs: samplePsbt().inputs.slice(0, 1) });
const unsigned = encodeTransaction(transactionOf(psbt));
const [input] = psbt.inputs;
const previous = input?.previous ?? new Uint8Array(0);
const stated = encodePsbt(psbt);
const coin = concatBytes(hexToBytes("a086010000000000"), lengthAndBytes(paidTo(BITCOIN_SENDER)));

describe("a PSBT", () => {
  it.each([
    ["with its previous transactions", samplePsbt()],
    ["of a Taproot wallet, without them", samplePsbt({}, TAPROOT_KEY.address)],
    [
      "that names the usual signature hash",
      samplePsbt({ inputs: [{ ...inputOf(coinsOf([5n])[0] ?? expect.fail()), sighashType: 1 }] }),
    ],
  ])("is read as it was written: %s", (_, written) => {
    const decoded = decodePsbt(encodePsbt(written));
    expect(decoded.ok && decoded.value).toEqual(written);
  });

  it("in a Buffer is read the same, and the Buffer stays as it is", () => {
    const bytes = Buffer.from(stated);
    expect([whyOf(bytes), bytesToHex(bytes)]).toEqual(["read", bytesToHex(stated)]);
  });

  it("is what two other libraries read", () => {
    const bytes = encodePsbt(samplePsbt());
    const scure = Transaction.fromPSBT(bytes);
    const other = bitcoinjs.Psbt.fromHex(bytesToHex(bytes), { network: bitcoinjs.networks.testnet });
    expect([scure.inputsLength, other.inputCount, scure.fee]).toEqual([2, 2, feeOfPsbt(samplePsbt())]);
    expect(other.txOutputs.map(({ address, value }) => [address, value])).toEqual([
      [BITCOIN_RECIPIENT, 120_000n],
      [BITCOIN_SENDER, 79_000n],
    ]);
  });

  it("of another library is read, with a previous transaction as the network has it", () => {
    const funding = fundingOf([90_000n], BITCOIN_SENDER);
    const witnessed = encodeWitnessed(funding, [[Uint8Array.of(1, 2, 3)]]);
    const made = new Transaction();
    const script = paidTo(BITCOIN_SENDER);
    made.addInput({ txid: txidOf(funding), index: 0, nonWitnessUtxo: witnessed });
    made.addOutput({ script: paidTo(BITCOIN_RECIPIENT), amount: 80_000n });
    const decoded = decodePsbt(made.toPSBT(0));
    expect(decoded.ok && decoded.value).toMatchObject({
      inputs: [{ coin: { amount: 90_000n, script }, previous: encodeTransaction(funding) }],
      outputs: [{ amount: 80_000n }],
    });
  });

  const otherFunding = encodeTransaction(fundingOf([1_000_000n], BITCOIN_SENDER, 7));
  it.each<readonly [string, Uint8Array, RegExp]>([
    ["nothing", new Uint8Array(0), /ends too early/],
    ["something else", hexToBytes("70736274fe00"), /no PSBT/],
    ["more than signers take", new Uint8Array(512 * 1024 + 1), /longer than/],
    ["a byte behind its end", concatBytes(stated, Uint8Array.of(0)), /behind its end/],
    ["less than its end", stated.slice(0, -1), /ends too early/],
    ["no transaction", byHand([]), /no transaction/],
    [
      "a version",
      byHand(
        [
          ["00", unsigned],
          ["fb", new Uint8Array(4)],
        ],
        [],
        [],
        [],
      ),
      /field 0xfb of the whole/,
    ],
    ["a proprietary field", byHand([["00", unsigned]], [["fc00", coin]], [], []), /field 0xfc00 of input 0/],
    [
      "a signature",
      byHand(
        [["00", unsigned]],
        [
          ["00", previous],
          ["01", coin],
          [`02${"02".repeat(33)}`, coin],
        ],
        [],
        [],
      ),
      /of input 0/,
    ],
    [
      "a redeem script",
      byHand(
        [["00", unsigned]],
        [
          ["00", previous],
          ["01", coin],
          ["04", coin],
        ],
        [],
        [],
      ),
      /field 0x04 of input 0/,
    ],
    [
      "a final witness",
      byHand(
        [["00", unsigned]],
        [
          ["00", previous],
          ["01", coin],
          ["08", coin],
        ],
        [],
        [],
      ),
      /field 0x08 of input 0/,
    ],
    [
      "a derivation of an output",
      byHand(
        [["00", unsigned]],
        [
          ["00", previous],
          ["01", coin],
        ],
        [["02", coin]],
        [],
      ),
      /field 0x02 of output 0/,
    ],
    [
      "a field twice",
      byHand(
        [["00", unsigned]],
        [
          ["01", coin],
          ["01", coin],
        ],
        [],
        [],
      ),
      /there twice/,
    ],
    [
      "fields in another order",
      byHand(
        [["00", unsigned]],
        [
          ["01", coin],
          ["00", previous],
        ],
        [],
        [],
      ),
      /order/,
    ],
    ["no coin", byHand([["00", unsigned]], [], [], []), /does not say which coin/],
    [
      "another previous transaction",
      byHand(
        [["00", unsigned]],
        [
          ["00", otherFunding],
          ["01", coin],
        ],
        [],
        [],
      ),
      /not the one that it spends/,
    ],
    [
      "a coin of another amount",
      byHand(
        [["00", unsigned]],
        [
          ["00", previous],
          ["01", concatBytes(hexToBytes("a186010000000000"), coin.slice(8))],
        ],
        [],
        [],
      ),
      /did not make/,
    ],
    [
      "a coin of another script",
      byHand(
        [["00", unsigned]],
        [
          ["00", previous],
          ["01", concatBytes(coin.slice(0, 8), lengthAndBytes(paidTo(BITCOIN_RECIPIENT)))],
        ],
        [],
        [],
      ),
      /did not make/,
    ],
    [
      "a signature hash type of 1 byte",
      byHand(
        [["00", unsigned]],
        [
          ["00", previous],
          ["01", coin],
          ["03", Uint8Array.of(1)],
        ],
        [],
        [],
      ),
      /takes 4 bytes/,
    ],
    [
      "a length that is not the shortest",
      concatBytes(stated.slice(0, 5), hexToBytes("fd0100"), stated.slice(6)),
      /shortest form/,
    ],
  ])("INV-3 is refused when it holds %s", (_, bytes, why) => {
    expect(whyOf(bytes)).toMatch(why);
  });

  it("INV-3 is refused when it spends nothing, a coin twice, or more coins than are signed", () => {
    const [first] = samplePsbt().inputs;
    if (first === undefined) expect.fail("there is one");
    expect(whyOfChanged({ inputs: [] })).toMatch(/no inputs|spends nothing|ends too early/);
    expect(whyOfChanged({ inputs: [first, first] })).toMatch(/a coin twice/);
    const many = coinsOf(Array.from({ length: 1_025 }, () => 1_000n)).map((each) => inputOf(each));
    expect(whyOfChanged({ inputs: many })).toMatch(/more than 1024 inputs/);
    expect(whyOfChanged({ inputs: many.slice(1) })).toBe("read");
  });

  it("INV-3 is refused when its coin names an output that there is not, or its input has a script", () => {
    const funding = fundingOf([1_000n], BITCOIN_SENDER);
    const beyond = { txid: txidOf(funding), index: 1 };
    const lost = { ...inputOf({ outpoint: beyond, amount: 1_000n, previous: encodeTransaction(funding) }) };
    expect(whyOfChanged({ inputs: [lost] })).toMatch(/output that there is not/);
    const { inputs, ...frame } = transactionOf(psbt);
    const scripted = inputs.map((each) => ({ ...each, script: Uint8Array.of(0x51) }));
    const whole = encodeTransaction({ ...frame, inputs: scripted });
    expect(
      whyOf(
        byHand(
          [["00", whole]],
          [
            ["00", previous],
            ["01", coin],
          ],
          [],
          [],
        ),
      ),
    ).toMatch(/has a script already/);
  });

  it("of any bytes is read or refused, and never throws", () => {
    for (let at = 0; at < stated.length; at += 1) {
      for (const bit of [0x01, 0x80, 0xff]) {
        const changed = stated.map((byte, where) => (where === at ? byte ^ bit : byte));
        const decoded = decodePsbt(changed);
        if (decoded.ok) expect(bytesToHex(encodePsbt(decoded.value))).toBe(bytesToHex(changed));
      }
    }
  });
});

describe("a transaction of the network", () => {
  it("is read with its witnesses, and its id does not depend on them", () => {
    const { signed, unsigned: bare } = vectors.bip143;
    const whole = decodeTransaction(hexToBytes(signed));
    // the first input has a script and is not segwit
    const { inputs, ...frame } = decodeTransaction(hexToBytes(bare));
    expect(txidOf(whole)).toBe(
      Transaction.fromRaw(hexToBytes(signed), {
        allowUnknownInputs: true,
        disableScriptCheck: true,
        allowUnknownOutputs: true,
      }).id,
    );
    expect(whole).toMatchObject({ ...frame, inputs: inputs.map(({ outpoint }) => ({ outpoint })) });
  });

  it("of 300 outputs counts them in three bytes", () => {
    const outputs = Array.from({ length: 300 }, () => outputTo(BITCOIN_SENDER, 1n));
    const many = { ...fundingOf([], BITCOIN_SENDER), outputs };
    expect(decodeTransaction(encodeTransaction(many))).toEqual(many);
    expect([compactSize(252).length, compactSize(253).length, compactSize(65_536).length]).toEqual([1, 3, 5]);
  });
});
