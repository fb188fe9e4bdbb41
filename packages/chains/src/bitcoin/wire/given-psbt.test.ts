import { networkSchema, PSBT_BYTES_MAX } from "@conclave/custody";
import { schnorr } from "@noble/curves/secp256k1.js";
import { bytesToHex, concatBytes, hexToBytes } from "@noble/curves/utils.js";
import { base64 } from "@scure/base";
import { p2tr, Transaction } from "@scure/btc-signer";
import * as bitcoinjs from "bitcoinjs-lib";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import vectors from "../../../../../test/vectors/psbt.json" with { type: "json" };
import {
  BITCOIN_KEY,
  BITCOIN_RECIPIENT,
  BITCOIN_SENDER,
  BITCOIN_SIGNET,
  coinsOf,
  fundingOf,
  inputOf,
  outputTo,
  paidTo,
  samplePsbt,
  TAPROOT_KEY,
  testTaprootKey,
} from "../../testing/bitcoin-samples.ts";
import { signedPsbt } from "../attach.ts";
import { judgeGivenContent, judgeGivenTransaction } from "../judge-given.ts";
import { hash160 } from "../rules/address.ts";
import { bitcoinScriptBody } from "../rules/script.ts";
import { lengthAndBytes, uint32 } from "./bytes.ts";
import { encodeGivenPsbt, readGivenPsbt } from "./given-psbt.ts";
import { decodePsbt, encodePsbt, isCanonicalPsbt, type Psbt, transactionOf } from "./psbt.ts";
import { segwitDigests, taprootDigests } from "./sighash.ts";
import { encodeOutput, encodeTransaction, encodeWitnessed, txidOf } from "./transaction.ts";

type Field = readonly [key: string, value: Uint8Array];

/** A PSBT written by hand: maps of keys, in hex, and values. */
const byHand = (...maps: readonly (readonly Field[])[]): Uint8Array =>
  concatBytes(
    hexToBytes("70736274ff"),
    ...maps.flatMap((map) => [
      ...map.flatMap(([key, value]) => [lengthAndBytes(hexToBytes(key)), lengthAndBytes(value)]),
      Uint8Array.of(0),
    ]),
  );

const whyOf = (bytes: Uint8Array): string => {
  const read = readGivenPsbt(bytes);
  return read.ok ? "read" : read.problem.message;
};
const given = (bytes: Uint8Array) => {
  const read = readGivenPsbt(bytes);
  return read.ok ? read.value : expect.fail(read.problem.message);
};
const vector = (name: RegExp) =>
  base64.decode(vectors.valid.find((each) => name.test(each.name))?.psbt ?? expect.fail(`no ${name}`));

/** The fingerprint and path of a key derivation field. */
const PATH = concatBytes(hexToBytes("d90c6a4f"), uint32(0x8000_0054), uint32(0), uint32(7));
const LEAFLESS_PATH = concatBytes(Uint8Array.of(0), PATH);

const segwit = samplePsbt({
  inputs: samplePsbt().inputs.slice(0, 1),
  outputs: [outputTo(BITCOIN_RECIPIENT, 60_000n), outputTo(BITCOIN_SENDER, 39_000n)],
});
const [spent = expect.fail("there is one")] = segwit.inputs;
const previous = spent.previous ?? expect.fail("it is proved");
const COIN = encodeOutput(spent.coin);
const OWN = bytesToHex(BITCOIN_KEY.publicKey);
const unsigned = encodeTransaction(transactionOf(segwit));
/** A PSBT as walletcreatefundedpsbt of Bitcoin Core 29 writes it for wpkh(): with derivations for input and change. */
const OF_CORE = byHand(
  [["00", unsigned]],
  [
    ["00", previous],
    ["01", COIN],
    [`06${OWN}`, PATH],
  ],
  [],
  [[`02${OWN}`, PATH]],
);
/** The same PSBT with one more field in one of its maps. */
const withField = (where: "global" | "input" | "output", field: Field): Uint8Array =>
  byHand(
    [["00", unsigned], ...(where === "global" ? [field] : [])],
    [["00", previous], ["01", COIN], ...(where === "input" ? [field] : [])],
    where === "output" ? [field] : [],
    [],
  );

const INTERNAL = schnorr.getPublicKey(hexToBytes("0e".repeat(32)));
const OUTPUT_KEY = p2tr(INTERNAL).tweakedPubkey;
const TAPROOT_SCRIPT = concatBytes(hexToBytes("5120"), OUTPUT_KEY);
const taproot: Psbt = {
  ...segwit,
  inputs: [{ ...spent, coin: { amount: 100_000n, script: TAPROOT_SCRIPT }, previous: undefined }],
};
/** A PSBT as Bitcoin Core writes it for tr(): Core always adds the internal key and its derivation. */
const ofTaproot = (internalKey: Uint8Array): Uint8Array =>
  byHand(
    [["00", encodeTransaction(transactionOf(taproot))]],
    [
      ["01", concatBytes(hexToBytes("a086010000000000"), lengthAndBytes(TAPROOT_SCRIPT))],
      [`16${bytesToHex(internalKey)}`, LEAFLESS_PATH],
      ["17", internalKey],
    ],
    [],
    [
      ["05", internalKey],
      [`07${bytesToHex(internalKey)}`, LEAFLESS_PATH],
    ],
  );

describe("K6 a PSBT as others write it", () => {
  it.each(vectors.invalid.map(({ bip, name, psbt }) => [bip, name, psbt]))(
    "INV-3 is refused where BIP-%i calls it invalid: %s",
    (_, __, psbt) => {
      expect(readGivenPsbt(base64.decode(String(psbt)))).toMatchObject({
        ok: false,
        problem: { code: "TransactionUnreadable" },
      });
    },
  );

  it.each<readonly [RegExp, string | RegExp]>([
    [/^PSBT with one P2PKH input\. Outputs/, "read"],
    [/First input is signed and finalized/, /input 0 has a final script \(field 0x07\)/],
    [/has a sighash type specified/, "read"],
    [/redeemScript is available\. Outputs filled/, /input 1 has a redeem script \(field 0x04\)/],
    [/P2SH-P2WSH input of a 2-of-2/, /input 0 has a signature \(field 0x02\)/],
    [/^PSBT with one P2WSH input/, /input 0 has a witness script \(field 0x05\)/],
    [/unknown types in the inputs/, /does not say which coin/],
    [/PSBT_GLOBAL_XPUB/, /input 0 has a signature \(field 0x02\)/],
    [/0 inputs and 0 outputs/, /spends nothing/],
    [/PSBT with 0 inputs/, /spends nothing/],
    [/P2TR key only input with internal key and its derivation path$/, "read"],
    [/derivation path, and signature/, /a Taproot signature \(field 0x13\)/],
    [/P2TR key only output/, "read"],
    [
      /script path only input with dummy internal key, scripts, derivation/,
      /a Taproot leaf script \(field 0x15\)/,
    ],
    [/script path only output/, "read"],
    [/script path signatures/, /a signature of a Taproot script \(field 0x14\)/],
  ])(
    "of the vectors of BIP-174 and BIP-371 named %s is taken, or the field is named in words",
    (name, why) => {
      const bytes = vector(name);
      if (why === "read") {
        expect(bytesToHex(encodeGivenPsbt(given(bytes), []))).toBe(bytesToHex(bytes));
      } else expect(whyOf(bytes)).toMatch(why);
    },
  );

  it("INV-3 is reduced to what signers read, in one encoding", () => {
    for (const bytes of [OF_CORE, ofTaproot(INTERNAL), vector(/P2TR key only output/)]) {
      const canonical = encodePsbt(given(bytes).psbt);
      const decoded = decodePsbt(canonical);
      if (!decoded.ok) expect.fail(decoded.problem.message);
      expect(isCanonicalPsbt(decoded.value, canonical)).toBe(true);
      expect(transactionOf(decoded.value)).toEqual(transactionOf(given(bytes).psbt));
    }
    expect(bytesToHex(encodePsbt(given(OF_CORE).psbt))).toBe(bytesToHex(encodePsbt(segwit)));
  });

  it("INV-3 with another internal key than that of its coin is refused", () => {
    expect(whyOf(ofTaproot(INTERNAL))).toBe("read");
    const [other, tweaked] = [testTaprootKey("0f".repeat(32)).publicKey, OUTPUT_KEY];
    for (const key of [other, tweaked, new Uint8Array(32)]) {
      const bytes = byHand(
        [["00", encodeTransaction(transactionOf(taproot))]],
        [
          ["01", concatBytes(hexToBytes("a086010000000000"), lengthAndBytes(TAPROOT_SCRIPT))],
          ["17", key],
        ],
        [],
        [],
      );
      expect(whyOf(bytes)).toMatch(/Taproot internal key \(field 0x17\) of input 0 is not the one/);
    }
    expect(whyOf(ofTaproot(INTERNAL.slice(1)))).toMatch(/another length/);
    expect(whyOf(withField("input", ["17", INTERNAL]))).toMatch(/field 0x17/);
  });

  it("INV-3 with internal keys of coins of one script alone is read: each other one would cost a multiplication", () => {
    const other = schnorr.getPublicKey(hexToBytes("0f".repeat(32)));
    const scriptOf = (key: Uint8Array) => concatBytes(hexToBytes("5120"), p2tr(key).tweakedPubkey);
    const spending = (...keys: readonly (readonly [paid: Uint8Array, named: Uint8Array])[]) => {
      const inputs = keys.map(([paid], index) => ({
        ...spent,
        outpoint: { ...spent.outpoint, index },
        coin: { amount: 100_000n, script: scriptOf(paid) },
        previous: undefined,
      }));
      return whyOf(
        byHand(
          [["00", encodeTransaction(transactionOf({ ...taproot, inputs }))]],
          ...keys.map(([, named], at): Field[] => [
            ["01", encodeOutput(inputs[at]?.coin ?? expect.fail("there is one"))],
            ["17", named],
          ]),
          [],
          [],
        ),
      );
    };
    expect(spending([INTERNAL, INTERNAL], [INTERNAL, INTERNAL])).toBe("read");
    expect(spending([INTERNAL, INTERNAL], [INTERNAL, other])).toMatch(
      /field 0x17\) of input 1 is not the one/,
    );
    expect(spending([INTERNAL, INTERNAL], [other, other])).toMatch(/input 1 spends a coin of another script/);
  });

  it.each<readonly ["global" | "input" | "output", Field]>([
    ["global", [`01${"02".repeat(78)}`, PATH.slice(0, 12)]],
    ["global", ["fb", uint32(0)]],
    ["global", ["fc05426974676f01", Uint8Array.of(1, 2)]],
    ["global", ["7f", Uint8Array.of(9)]],
    ["input", [`06${OWN}`, PATH]],
    ["input", [`0a${"03".repeat(20)}`, Uint8Array.of(1)]],
    ["input", ["fc05426974676f01", COIN]],
    ["input", ["f00d", COIN]],
    ["output", ["00", Uint8Array.of(0x51)]],
    ["output", [`02${OWN}`, PATH]],
    ["output", ["05", INTERNAL]],
    ["output", ["06", Uint8Array.of(0, 0xc0, 1, 0x51)]],
    ["output", [`07${bytesToHex(INTERNAL)}`, LEAFLESS_PATH]],
    ["output", ["35", Uint8Array.of(1, 0x61, 9)]],
    ["output", ["fc05426974676f02", new Uint8Array(0)]],
  ])("keeps a field of %s that is not signed, and gives it back signed: %j", (where, field) => {
    const bytes = withField(where, field);
    const asked = { kind: "Psbt", psbt: `0x${bytesToHex(bytes)}` } as const;
    const signatures = segwitDigests(segwit).map((digest) => BITCOIN_KEY.sign(digest));
    const signed = signedPsbt(encodePsbt(segwit), signatures, [BITCOIN_KEY.publicKey], asked);
    if (!signed.ok) expect.fail(signed.problem.message);
    const [key, value] = field;
    const whole = concatBytes(lengthAndBytes(hexToBytes(key)), lengthAndBytes(value));
    expect(bytesToHex(signed.value)).toContain(bytesToHex(whole));
    const finished = Transaction.fromPSBT(signed.value);
    finished.finalize();
    expect(finished.id).toBe(txidOf(transactionOf(segwit)));
  });

  it.each<readonly ["global" | "input" | "output", string, RegExp]>([
    ["global", "02", /the whole has a field of PSBT version 2/],
    ["global", "06", /PSBT version 2/],
    ["input", `02${OWN}`, /input 0 has a signature \(field 0x02\)/],
    ["input", "04", /a redeem script/],
    ["input", "05", /a witness script/],
    ["input", "07", /a final script/],
    ["input", "08", /a final witness/],
    ["input", "09", /a commitment of a proof of reserves/],
    ["input", "0e", /PSBT version 2/],
    ["input", "13", /a Taproot signature/],
    ["input", `15${"c0".repeat(33)}`, /a Taproot leaf script/],
    ["input", "18", /the root of a Taproot script tree/],
    ["input", `1a${OWN}`, /participants of MuSig2/],
    ["output", "03", /PSBT version 2/],
    ["output", "09", /the recipient of a silent payment/],
    ["input", `06${OWN}00`, /another length than it may/],
    ["output", `02${OWN.slice(2)}`, /another length than it may/],
    ["global", "0100", /another length than it may/],
  ])(
    "INV-3 with a field of %s that changes what is signed, or is no such field, is refused: %s",
    (where, key, why) => {
      expect(whyOf(withField(where, [key, COIN]))).toMatch(why);
    },
  );

  it("INV-3 of another version, or with a field twice, is refused", () => {
    expect(whyOf(withField("global", ["fb", uint32(2)]))).toMatch(/of version 2: version 0 is read/);
    expect(whyOf(withField("global", ["fb", Uint8Array.of(0)]))).toMatch(/takes 4 bytes/);
    const twice: readonly Field[] = [
      ["fc00", COIN],
      ["fc00", COIN],
    ];
    expect(whyOf(byHand([["00", unsigned]], twice, [], []))).toMatch(
      /field 0xfc00 of input 0 is there twice/,
    );
  });

  it("of a Taproot wallet comes back as it came, with its signature in its place", () => {
    const wallet = TAPROOT_KEY;
    const own = samplePsbt({}, wallet.address);
    const [first, ...others] = own.inputs.map((input): Field[] => [["01", encodeOutput(input.coin)]]);
    const unknown: Field = ["fa07", Uint8Array.of(8)];
    const bytes = byHand(
      [["00", encodeTransaction(transactionOf(own))]],
      [...(first ?? []), unknown],
      ...others,
      ...own.outputs.map(() => []),
    );
    const signatures = taprootDigests(own).map((digest) => wallet.sign(digest));
    const asked = { kind: "Psbt", psbt: bytesToHex(bytes) } as const;
    const signed = signedPsbt(encodePsbt(own), signatures, [wallet.publicKey], asked);
    if (!signed.ok) expect.fail(signed.problem.message);
    expect(bytesToHex(signed.value)).toContain("02fa070108");
    const other = bitcoinjs.Psbt.fromHex(bytesToHex(signed.value), { network: bitcoinjs.networks.testnet });
    expect(other.data.inputs.map(({ tapKeySig }) => tapKeySig?.length)).toEqual([64, 64]);
    const finished = Transaction.fromPSBT(signed.value);
    finished.finalize();
    expect(finished.id).toBe(txidOf(transactionOf(own)));
  });

  it("of bitcoinjs-lib and of @scure/btc-signer with derivations is read the same", () => {
    const funding = fundingOf([90_000n], BITCOIN_SENDER);
    const derivation = {
      masterFingerprint: hexToBytes("d90c6a4f"),
      path: "m/84'/0'/0'/0/7",
      pubkey: BITCOIN_KEY.publicKey,
    };
    const other = new bitcoinjs.Psbt({ network: bitcoinjs.networks.testnet });
    other.addInput({
      hash: txidOf(funding),
      index: 0,
      nonWitnessUtxo: encodeWitnessed(funding, [[Uint8Array.of(1)]]),
      bip32Derivation: [derivation],
    });
    other.addOutput({ script: paidTo(BITCOIN_SENDER), value: 80_000n, bip32Derivation: [derivation] });
    const scure = new Transaction();
    scure.addInput({
      txid: txidOf(funding),
      index: 0,
      nonWitnessUtxo: encodeTransaction(funding),
      bip32Derivation: [[BITCOIN_KEY.publicKey, { fingerprint: 0xd90c6a4f, path: [0x8000_0054, 7] }]],
    });
    scure.addOutput({ script: paidTo(BITCOIN_SENDER), amount: 80_000n });
    for (const bytes of [other.toBuffer(), scure.toPSBT(0)]) {
      const { psbt } = given(bytes);
      expect(psbt).toMatchObject({
        inputs: [{ coin: { amount: 90_000n }, previous: encodeTransaction(funding) }],
        outputs: [{ amount: 80_000n }],
      });
    }
    expect(bitcoinScriptBody(paidTo(BITCOIN_SENDER))).toEqual(hash160(BITCOIN_KEY.publicKey));
  });

  it("INV-3 is signed as what signers read, whatever row of the database says what was asked", () => {
    const signatures = segwitDigests(segwit).map((digest) => BITCOIN_KEY.sign(digest));
    const another = samplePsbt({ inputs: segwit.inputs, outputs: [outputTo(BITCOIN_SENDER, 5_000n)] });
    const asked = { kind: "Psbt", psbt: bytesToHex(encodePsbt(another)) } as const;
    expect(signedPsbt(encodePsbt(segwit), signatures, [BITCOIN_KEY.publicKey], asked)).toMatchObject({
      ok: false,
      problem: { code: "Internal" },
    });
  });

  it("of any bytes is read or refused, and never throws; what is read comes back to the byte", () => {
    fc.assert(
      fc.property(fc.nat(OF_CORE.length - 1), fc.integer({ min: 1, max: 255 }), (at, bits) => {
        const changed = OF_CORE.map((byte, where) => (where === at ? byte ^ bits : byte));
        const read = readGivenPsbt(changed);
        if (!read.ok) return;
        expect(bytesToHex(encodeGivenPsbt(read.value, []))).toBe(bytesToHex(changed));
        const canonical = encodePsbt(read.value.psbt);
        expect(decodePsbt(canonical)).toEqual({ ok: true, value: read.value.psbt });
      }),
      { numRuns: 400 },
    );
  });
});

describe("K7 coins of one transaction", () => {
  const amounts = Array.from({ length: 60 }, (_, at) => 20_000n + BigInt(at));
  const payout = fundingOf(amounts, BITCOIN_SENDER);
  const bytes = encodeTransaction(payout);
  const coins = amounts.map((amount, index) => ({
    outpoint: { txid: txidOf(payout), index },
    amount,
    previous: bytes,
  }));
  const many = samplePsbt({ inputs: coins.map((coin) => inputOf(coin)) });

  it("are proved by it once, and all are read", () => {
    const encoded = encodePsbt(many);
    expect(encoded.length).toBeLessThan(bytes.length + 60 * 128);
    expect(decodePsbt(encoded)).toEqual({ ok: true, value: many });
    const scure = Transaction.fromPSBT(encoded);
    expect([scure.inputsLength, scure.fee]).toEqual([
      60,
      amounts.reduce((sum, each) => sum + each, -199_000n),
    ]);
  });

  it("INV-3 are proved at the first of them alone: another place, or a second one, is another encoding", () => {
    const [first, second, ...others] = many.inputs;
    if (first === undefined || second === undefined) expect.fail("there are two");
    const moved = byHand(
      [["00", encodeTransaction(transactionOf({ ...many, inputs: [first, second] }))]],
      [["01", encodeOutput(first.coin)]],
      [
        ["00", bytes],
        ["01", encodeOutput(second.coin)],
      ],
      [],
      [],
    );
    const twice = byHand(
      [["00", encodeTransaction(transactionOf({ ...many, inputs: [first, second] }))]],
      [
        ["00", bytes],
        ["01", encodeOutput(first.coin)],
      ],
      [
        ["00", bytes],
        ["01", encodeOutput(second.coin)],
      ],
      [],
      [],
    );
    expect(others.length).toBe(58);
    for (const other of [moved, twice]) {
      const decoded = decodePsbt(other);
      if (!decoded.ok) expect.fail(decoded.problem.message);
      expect(isCanonicalPsbt(decoded.value, other)).toBe(false);
      expect(isCanonicalPsbt(decoded.value, encodePsbt(decoded.value))).toBe(true);
    }
  });

  it("INV-3 with a lie about the amount of any of them are refused", () => {
    fc.assert(
      fc.property(fc.nat(59), fc.bigInt({ min: 1n, max: 10_000n }), (at, more) => {
        const lying = many.inputs.map((input, where) =>
          where === at ? { ...input, coin: { ...input.coin, amount: input.coin.amount + more } } : input,
        );
        const decoded = decodePsbt(encodePsbt({ ...many, inputs: lying }));
        expect(decoded).toMatchObject({ ok: false });
      }),
      { numRuns: 40 },
    );
  });

  it("of several transactions are proved by each of them", () => {
    const others = coinsOf([1_000n, 2_000n]).map((coin) => inputOf(coin));
    const mixed = {
      ...many,
      inputs: many.inputs.flatMap((input, at) => [input, ...others.slice(at, at + 1)]),
    };
    expect(decodePsbt(encodePsbt(mixed))).toEqual({ ok: true, value: mixed });
  });
});

describe("INV-9 a PSBT that is longer once it states the coin of each input", () => {
  /** Each input is proved only by its previous transaction, as by wallets that do not state the coin. */
  const proved = (many: number) => {
    const inputs = Array.from({ length: many }, (_, salt) => {
      const paying = fundingOf([1_000n, 1_000n, 1_000n], BITCOIN_SENDER, salt);
      const outpoint = { txid: txidOf(paying), index: 0 };
      return inputOf({ outpoint, amount: 1_000n, previous: encodeTransaction(paying) });
    });
    const whole = { ...segwit, inputs, outputs: [outputTo(BITCOIN_RECIPIENT, 100_000n)] };
    const bytes = byHand(
      [["00", encodeTransaction(transactionOf(whole))]],
      ...inputs.map(({ previous }): Field[] => [["00", previous ?? expect.fail("it is proved")]]),
      [],
    );
    return { bytes, grown: encodePsbt(whole).length };
  };
  const network = networkSchema.parse(BITCOIN_SIGNET.network);
  const judge = (bytes: Uint8Array) => {
    const body = { kind: "Psbt", psbt: `0x${bytesToHex(bytes)}` } as const;
    const transaction = judgeGivenTransaction(network, body, BITCOIN_SENDER, OWN);
    const content = judgeGivenContent(network, body, OWN);
    return [transaction, content].map((judged) => (judged.ok ? "taken" : judged.problem.message));
  };

  it("is refused at the door where signers would refuse it, and says how long it is", () => {
    const [fits, grows] = [proved(100), proved(1_000)];
    expect(fits.grown).toBeLessThan(PSBT_BYTES_MAX);
    expect([grows.bytes.length < PSBT_BYTES_MAX, grows.grown > PSBT_BYTES_MAX]).toEqual([true, true]);
    expect(judge(fits.bytes)).toEqual(["taken", "taken"]);
    const why = expect.stringContaining(
      `it takes ${grows.grown} bytes, and at most ${PSBT_BYTES_MAX} are read`,
    );
    expect(judge(grows.bytes)).toEqual([why, why]);
  });
});
